/** Words that say nothing about what is looked for. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an and are as at be but by can do does for from get give has have how i if in into is it its let me my of on or our over per
  so some than that the their them then these they this those through to up use using want was we what when where which who
  will with within without would you your make need help find best good tool tools about all any more most via not no`.split(
    /\s+/,
  ),
);
