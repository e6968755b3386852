/** Style sheet of the guide, besides the colours and fonts that all pages have. */
export const guideStyle = `
body{max-width:1120px;margin:0 auto;padding:0 16px}
header{display:flex;flex-wrap:wrap;align-items:center;gap:12px 20px;padding:12px 0;border-bottom:1px solid var(--line)}
.home{display:inline-flex;align-items:center;gap:10px;color:var(--ink);font-weight:650;text-decoration:none}
.home svg{width:28px;height:28px}
.home img{height:28px}
form{display:flex;gap:8px;flex:1 1 240px;min-width:0;max-width:420px;margin-inline-start:auto}
input{flex:1;min-width:0;padding:8px 12px;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:10px;font:inherit;font-size:15px}
button{padding:8px 14px;color:var(--act);background:none;border:1px solid var(--line);border-radius:10px;font:inherit;font-size:15px;cursor:pointer}
input:focus-visible,button:focus-visible{outline:2px solid var(--act);outline-offset:2px}
header nav{display:flex;gap:16px}
header nav a{color:var(--act);text-decoration:none;font-size:15px;padding:6px 0}
.columns{display:grid;grid-template-columns:220px minmax(0,1fr);gap:40px;padding:24px 0 64px}
.contents{position:sticky;top:16px;align-self:start;display:grid;gap:2px;max-height:calc(100vh - 32px);overflow:auto}
.contents h2{margin:14px 12px 4px;font-size:12px;font-weight:650;color:var(--soft)}
.contents h2:first-child{margin-top:0}
.contents a{padding:6px 12px;border-radius:10px;color:var(--soft);text-decoration:none;font-size:14px;text-align:start}
[dir=rtl] .contents a[dir=ltr]{text-align:end}
.contents a[aria-current]{background:color-mix(in srgb,var(--act) 12%,var(--page));color:var(--act)}
main h1{margin:0 0 8px;font-size:28px;line-height:1.3;font-weight:650}
main h2{margin:36px 0 8px;font-size:20px;font-weight:650}
main h3{margin:24px 0 4px;font-size:16px;font-weight:650}
main h2 a,main h3 a{color:inherit;text-decoration:none}
main a{color:var(--act)}
pre{overflow:auto;padding:12px 16px;background:var(--card);border:1px solid var(--line);border-radius:10px;text-align:left}
code{font:13px/1.6 ui-monospace,'SF Mono','DejaVu Sans Mono',monospace}
:not(pre)>code{padding:1px 5px;background:color-mix(in srgb,var(--ink) 7%,var(--page));border-radius:5px;overflow-wrap:anywhere}
td code{overflow-wrap:normal!important}
.wide{overflow:auto}
table{border-collapse:collapse;font-size:14px}
th,td{padding:6px 0;padding-inline-end:14px;border-bottom:1px solid var(--line);text-align:start;vertical-align:top}
th{color:var(--soft);font-weight:550}
[dir=rtl] main[dir=rtl] h3[dir=ltr]{text-align:right}
.verb{color:var(--act);font-weight:700}
details{margin:8px 0}
summary{cursor:pointer}
nav.parts{display:flex;flex-wrap:wrap;gap:4px 16px}
.soft{color:var(--soft);font-size:13px}
.hits{padding:0;list-style:none}
.hits li{padding:12px 0;border-bottom:1px solid var(--line)}
.hits p{margin:2px 0 0;color:var(--soft);font-size:14px}
@media(max-width:760px){.columns{grid-template-columns:minmax(0,1fr);gap:16px}.contents{position:static;display:flex;flex-wrap:nowrap;align-items:center;overflow:auto}.contents h2{display:none}.contents a{white-space:nowrap}form{order:3;flex-basis:100%;max-width:none}header nav{margin-inline-start:auto}}
`
