/** The one stylesheet: system fonts, light and dark by the reader's choice, no pictures, nothing to download beside it. */
export const STYLESHEET = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf7; --card: #fff; --ink: #1c2024; --soft: #565f68; --line: #dedbd2;
  --accent: #0b6b66; --medium: #7d5300; --low: #8a3b2a; --focus: #1a5fd0;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #101315; --card: #171b1e; --ink: #e8eaec; --soft: #a3adb6; --line: #2f363c;
    --accent: #5fd0c4; --medium: #e0b355; --low: #ef9a85; --focus: #7db0ff;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.55 ui-sans-serif, system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif;
  font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
}
a { color: inherit; text-decoration-color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
h1 { font-size: 30px; line-height: 1.15; letter-spacing: -.02em; margin: 0 0 8px; }
h2 { font-size: 17px; margin: 0 0 12px; }
h3 { font-size: 15px; margin: 16px 0 4px; }
code { font: .88em ui-monospace, "DejaVu Sans Mono", monospace; }
.wrap { max-width: 1080px; margin: 0 auto; padding: 0 20px; }
main.wrap { padding-top: 28px; padding-bottom: 60px; }
.skip { position: absolute; left: -9999px; }
.skip:focus { position: static; }
.muted { color: var(--soft); }
.small { font-size: 14px; }
.bar { border-bottom: 1px solid var(--line); background: var(--card); }
.bar .wrap { display: flex; flex-wrap: wrap; gap: 8px 18px; align-items: center; min-height: 58px; padding-top: 8px; padding-bottom: 8px; }
.bar search { flex: 1; max-width: 460px; min-width: 180px; }
.bar input { width: 100%; }
.bar nav { margin-left: auto; }
.brand { font-weight: 680; text-decoration: none; }
input, select, button {
  font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 8px;
  padding: 7px 11px; min-height: 40px; max-width: 100%;
}
input[type=checkbox] { min-height: 0; }
button { background: var(--accent); color: var(--paper); border-color: var(--accent); font-weight: 600; }
.filters { display: flex; flex-wrap: wrap; gap: 10px 16px; align-items: center; margin: 16px 0; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 20px; }
.stack > * + * { margin-top: 18px; }
.grid { display: grid; gap: 18px; grid-template-columns: minmax(0, 1fr) 320px; margin-top: 24px; }
.head { display: flex; flex-wrap: wrap; gap: 14px 22px; align-items: flex-end; justify-content: space-between; }
.head > div { flex: 1 1 420px; }
.head p { margin: 0 0 6px; }
.chip { border: 1px solid currentColor; border-radius: 99px; padding: 1px 9px; font-size: 13px; font-weight: 600; margin-right: 6px; }
.tag { color: var(--soft); font-weight: 450; }
.high { color: var(--accent); }
.medium { color: var(--medium); }
.low { color: var(--low); }
dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 6px 14px; margin: 0; font-size: 15px; }
dt { color: var(--soft); }
dd { margin: 0; text-align: right; }
dl.score { display: flex; gap: 30px; }
dl.score div { display: flex; flex-direction: column-reverse; }
dl.score dd { font-size: 32px; line-height: 1.1; font-weight: 640; text-align: left; }
table { width: 100%; border-collapse: collapse; font-size: 15px; }
th { font-weight: 500; text-align: left; }
thead th { color: var(--soft); font-size: 13px; }
th, td { padding: 8px 10px 8px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.n { text-align: right; white-space: nowrap; padding-right: 0; padding-left: 10px; }
.unseen { color: var(--soft); }
.rows { list-style: none; margin: 0; padding: 0; }
.rows li {
  display: grid; grid-template-columns: minmax(0, 1fr) 200px; gap: 6px 18px; padding: 15px 0; border-bottom: 1px solid var(--line);
}
.rows h2 { margin: 0; }
.rows p { margin: 2px 0 0; }
.figures { display: flex; flex-wrap: wrap; gap: 4px 12px; justify-content: flex-end; align-content: flex-start; }
.pages { display: flex; gap: 20px; margin-top: 20px; }
.line { width: 100%; height: auto; }
.line text { fill: var(--soft); font-size: 11px; }
.rail { stroke: var(--line); stroke-width: 2; }
.band { stroke: var(--accent); stroke-width: 10; stroke-linecap: round; opacity: .32; }
.dot { fill: var(--accent); }
.tick { stroke: var(--line); }
@media (max-width: 860px) { .grid { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 680px) { .rows li { grid-template-columns: minmax(0, 1fr); } .figures { justify-content: flex-start; } }
@media print { .bar, .filters, .pages, .skip { display: none; } .card { border: 0; padding: 0; } }
`.trimStart();
