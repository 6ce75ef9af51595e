// Puts the whole reference in the place of the list of endpoints, in the reader's light or dark.

const place = document.getElementById('reference');
const prefersDark = matchMedia('(prefers-color-scheme: dark)');

// White stands on each of them with a contrast of at least 4.5.
const METHODS = { get: '#0b6b66', post: '#7d5300', put: '#7d5300', patch: '#7d5300', delete: '#8a3b2a' };
// Examples stand on a dark ground in both schemes: the renderer has no other colours for them.
const PANEL = { paper: '#171b1e', card: '#101315', ink: '#e8eaec' };

/** The colours and letters of our own style sheet, in the renderer's names for them. */
function theme() {
  const root = getComputedStyle(document.documentElement);
  const colour = (name) => root.getPropertyValue(`--${name}`).trim();
  const font = { fontFamily: getComputedStyle(document.body).fontFamily };
  const answer = (name, ground = 'card') => ({
    color: colour(name),
    backgroundColor: colour(ground),
    tabTextColor: '#ef9a85',
  });
  return {
    breakpoints: { small: '680px', medium: '1180px', large: '1180px' },
    colors: {
      primary: { main: colour('accent') },
      text: { primary: colour('ink'), secondary: colour('soft') },
      border: { dark: colour('edge'), light: colour('line') },
      gray: { 50: colour('card'), 100: colour('line') },
      error: { main: colour('low') },
      responses: {
        success: { ...answer('accent', 'weak'), tabTextColor: '#5fd0c4' },
        error: answer('low'),
        redirect: { ...answer('soft'), tabTextColor: '#a3adb6' },
        info: { ...answer('soft'), tabTextColor: '#a3adb6' },
      },
      http: METHODS,
    },
    schema: {
      linesColor: colour('edge'),
      nestedBackground: colour('card'),
      typeNameColor: colour('soft'),
      typeTitleColor: colour('soft'),
      requireLabelColor: colour('low'),
      arrow: { color: colour('soft') },
    },
    typography: {
      ...font,
      fontSize: '15px',
      lineHeight: '1.55',
      smoothing: 'auto',
      headings: { ...font, fontWeight: '640' },
      code: {
        fontFamily: colour('mono'),
        fontSize: '13.5px',
        color: colour('ink'),
        backgroundColor: colour('weak'),
        wrap: true,
      },
      links: { color: colour('accent'), visited: colour('accent'), hover: colour('ink') },
    },
    sidebar: {
      width: '280px',
      backgroundColor: colour('card'),
      textColor: colour('ink'),
      activeTextColor: colour('accent'),
    },
    rightPanel: {
      backgroundColor: PANEL.paper,
      textColor: PANEL.ink,
      width: '42%',
      servers: {
        overlay: { backgroundColor: PANEL.paper, textColor: PANEL.ink },
        url: { backgroundColor: PANEL.card },
      },
    },
    codeBlock: { backgroundColor: PANEL.card },
    fab: { backgroundColor: colour('card'), color: colour('ink') },
  };
}

const OPTIONS = {
  // The search would run in a worker made of a blob, which the content security policy refuses.
  disableSearch: true,
  hideDownloadButtons: true,
  nativeScrollbars: true,
  requiredPropsFirst: true,
  sortRequiredPropsFirst: true,
  schemasExpansionLevel: 1,
  jsonSamplesExpandLevel: 4,
  maxDisplayedEnumValues: 12,
  // Behind the code samples, which hold it too.
  payloadSampleIdx: 2,
};

function draw() {
  delete place.dataset.state;
  Redoc.init(place.dataset.contract, { ...OPTIONS, theme: theme() }, place, (error) => {
    place.dataset.state = error ? 'failed' : 'drawn';
  });
}

prefersDark.addEventListener('change', draw);
draw();
