#!/usr/bin/env bash
# Practises the loss and the recovery of a database with PostgreSQL's own tools. Run `ops/backup/drill.sh` after `npm run build`,
# on a machine with PostgreSQL 15 or newer. The drill creates a cluster that archives its write-ahead log, runs a server on it,
# takes a base backup and makes calls. Then it kills and removes the cluster, and restores it twice: to a moment between two
# calls, and from a dump. After each restore it verifies the ledger and replays the calls made before that point. Everything is
# in a temporary folder and on loopback.
set -euo pipefail
cd "$(dirname "$0")/../.."

BIN=${POSTGRES_BIN:-$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -1)}
PROGRAM=server/dist/command-line/cli.js
PORT=${DRILL_PORT:-55432}
work=$(mktemp -d)
chmod 711 "$work"
# PostgreSQL refuses to run as root, so run its programs as another user.
as=()
if [ "$(id -u)" = 0 ]; then
  chown postgres "$work"
  as=(setpriv --reuid=postgres --regid=postgres --clear-groups)
fi
export DATABASE_URL="postgres://postgres@127.0.0.1:$PORT/directory"
server=

say() { printf '\n%s\n' "$*"; }
postgres() { "${as[@]}" "$BIN/$1" "${@:2}"; }
query() { "$BIN/psql" --no-psqlrc --quiet --tuples-only --no-align --dbname "$DATABASE_URL" --command "$1"; }

start_cluster() {
  postgres pg_ctl --pgdata "$1" --log "$1.log" --wait --silent \
    --options "-c port=$PORT -c listen_addresses=127.0.0.1 -c unix_socket_directories='$work'" start >/dev/null
}

start_server() {
  PORT=0 node "$PROGRAM" serve --demo >"$work/server.out" 2>"$work/server.log" &
  server=$!
  for _ in $(seq 600); do
    grep -q '^Trust Directory is ready' "$work/server.out" && break
    kill -0 "$server" || { cat "$work/server.log"; exit 1; }
    sleep 0.1
  done
  url=$(sed -n 's/^Trust Directory is ready at //p' "$work/server.out")
}

stop_server() {
  kill "$server" && wait "$server"
  server=
}

# Makes a metered call; prints the receipt's id and whether the answer is a replay.
call() {
  curl --silent --fail-with-body "$url/api/svc/operations/run" -H "Authorization: Bearer $key" -H 'Content-Type: application/json' \
    -d "{\"operation\": \"agent_score\", \"subject\": \"google-gemini/gemini-cli\", \"idempotency_key\": \"$1\"}" |
    node -e 'let a = JSON.parse(require("fs").readFileSync(0)); console.log(a.ledger_id, a.idempotent ? "replayed" : "settled")'
}

expect() {
  echo "$1: $2"
  [ "$2" = "$3" ] || { echo "expected: $3"; exit 1; }
}

clean_up() {
  [ -z "$server" ] || kill -9 "$server" 2>/dev/null || true
  for cluster in "$work"/*/postmaster.pid; do
    [ -e "$cluster" ] && postgres pg_ctl --pgdata "$(dirname "$cluster")" --mode immediate --silent stop || true
  done
  rm -rf "$work"
}
trap clean_up EXIT

say "A cluster that archives its log, and a server on it ($("$BIN/postgres" --version))"
postgres initdb --pgdata "$work/first" --auth trust --username postgres --encoding UTF8 --locale C.UTF-8 --data-checksums >/dev/null
"${as[@]}" mkdir "$work/archive"
"${as[@]}" tee -a "$work/first/postgresql.conf" >/dev/null <<END
archive_mode = on
archive_command = 'test ! -f $work/archive/%f && cp %p $work/archive/%f'
END
start_cluster "$work/first"
"$BIN/createdb" --maintenance-db "postgres://postgres@127.0.0.1:$PORT/postgres" directory
start_server
key=$(grep -o 'svc_live_[0-9A-Za-z]*' "$work/server.out" | head -1)

say 'A base back-up while it runs; calls before and after it'
before=$(call before-the-back-up)
postgres pg_basebackup --pgdata "$work/base" --dbname "postgres://postgres@127.0.0.1:$PORT/postgres" --checkpoint fast
after=$(call after-the-back-up)
moment=$(query 'SELECT clock_timestamp()')
late=$(call after-the-moment)
postgres pg_dump --format custom --file "$work/dump" --dbname "$DATABASE_URL"
query 'SELECT pg_switch_wal()' >/dev/null
for _ in $(seq 100); do [ "$(query "SELECT last_archived_wal IS NOT NULL FROM pg_stat_archiver")" = t ] && break; sleep 0.1; done
stop_server

say 'The cluster is killed, and its disk is gone'
kill -9 "$(head -1 "$work/first/postmaster.pid")"
rm -rf "$work/first"

say "Restored from the base back-up and the archived log, to $moment"
postgres pg_verifybackup --quiet "$work/base"
mv "$work/base" "$work/restored"
"${as[@]}" tee -a "$work/restored/postgresql.conf" >/dev/null <<END
restore_command = 'cp $work/archive/%f %p'
recovery_target_time = '$moment'
recovery_target_action = promote
archive_mode = off
END
"${as[@]}" touch "$work/restored/recovery.signal"
start_cluster "$work/restored"
for _ in $(seq 300); do [ "$(query 'SELECT pg_is_in_recovery()')" = f ] && break; sleep 0.1; done
node "$PROGRAM" ledger verify
start_server
expect 'the call before the back-up' "$(call before-the-back-up)" "${before% *} replayed"
expect 'the call after the back-up' "$(call after-the-back-up)" "${after% *} replayed"
again=$(call after-the-moment)
expect 'the call after the moment is a new one' "${again#* }" settled
[ "${again% *}" != "${late% *}" ]
stop_server

say 'Restored from the dump, into a new database'
"$BIN/createdb" --maintenance-db "postgres://postgres@127.0.0.1:$PORT/postgres" dumped
postgres pg_restore --exit-on-error --single-transaction --dbname "postgres://postgres@127.0.0.1:$PORT/dumped" "$work/dump"
export DATABASE_URL="postgres://postgres@127.0.0.1:$PORT/dumped"
query 'ANALYZE'
node "$PROGRAM" ledger verify
start_server
for name in before-the-back-up after-the-back-up; do
  kept=$before
  [ $name = before-the-back-up ] || kept=$after
  expect "$name" "$(call $name)" "${kept% *} replayed"
done
expect 'the last call before the dump' "$(call after-the-moment)" "${late% *} replayed"
stop_server
say 'Both restored: 0 receipts lost, 0 charged twice'
