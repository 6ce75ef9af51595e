-- Each promotion of a standby begins a timeline. The other standbys tell which one they replay only at their next restartpoint,
-- minutes later; a row that is written on the new one tells it as soon as it is replayed. One row for each cluster that the
-- database has lived in: a copy of it may live in another.
CREATE TABLE primary_timeline (
  cluster bigint PRIMARY KEY,
  timeline int NOT NULL
);

-- down
DROP TABLE primary_timeline;
