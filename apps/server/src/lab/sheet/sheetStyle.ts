/** The page is A4. Widths are in millimetres, as they are printed. */
export const SHEET_STYLE = `
@page{size:A4;margin:13mm 14mm 15mm;@bottom-right{content:counter(page) " / " counter(pages);font:7.8pt Helvetica,Arial,sans-serif;color:gray}}
:root{color-scheme:light}
*{box-sizing:border-box}
html{background:var(--ground);-webkit-print-color-adjust:exact;print-color-adjust:exact}
body{font:9.2pt/1.45 "Helvetica Neue",Helvetica,Arial,"Liberation Sans",sans-serif;color:var(--ink);background:var(--surface);
 width:210mm;max-width:100%;margin:8mm auto;padding:13mm 14mm;font-variant-numeric:tabular-nums}
header{display:flex;gap:7mm;align-items:flex-end;padding-bottom:5mm;border-bottom:.7mm solid var(--mark)}
header>img{width:56mm;aspect-ratio:16/10;object-fit:cover;border-radius:1.6mm;flex:none}
h1{font-size:25pt;line-height:1.1;margin:0 0 1.5mm;font-weight:700;letter-spacing:-.01em;overflow-wrap:anywhere}
header p{margin:0;color:var(--soft)}
.logo{width:5mm;height:5mm;vertical-align:-1.2mm;margin-right:1.5mm}
.kicker{color:var(--mark-text);font-weight:700;text-transform:uppercase;letter-spacing:.09em;font-size:7.6pt;margin:0 0 1.5mm}
.figures{display:grid;grid-template-columns:repeat(5,1fr);margin:5mm 0 1.5mm;border:.25mm solid var(--line);border-radius:1.6mm}
.figures div{padding:2.6mm 3mm;border-left:.25mm solid var(--line)}
.figures div:first-child{border-left:0}
.figures dt{color:var(--soft);font-size:7.6pt}
.figures dd{margin:0}
.figures dd:first-of-type{font-size:14.5pt;font-weight:700;line-height:1.25}
.figures dd+dd{font-size:7.6pt;color:var(--soft)}
dl{margin:0}
h2{font-size:11.5pt;margin:6.5mm 0 2mm;break-after:avoid}
table{width:100%;border-collapse:collapse;break-inside:auto}
th{font-size:7.6pt;font-weight:600;color:var(--soft);text-align:left;vertical-align:bottom}
th,td{padding:1.3mm 3mm 1.3mm 0;border-bottom:.2mm solid var(--line)}
td{vertical-align:top}
tr{break-inside:avoid}
thead{display:table-header-group}
.number{text-align:right}td.number,.whole{white-space:nowrap}
th:last-child,td:last-child{padding-right:0}
small,.note{font-size:7.8pt;color:var(--soft)}
.note{margin:1.6mm 0 0}
.good{color:var(--good);font-weight:700}.bad{color:var(--bad);font-weight:700}
.columns{display:grid;grid-template-columns:1fr 1fr;gap:0 9mm}
.dense td:nth-child(n+3){font-size:7.8pt;line-height:1.4;color:var(--soft)}
.hashes td{font:6.5pt/1.35 "DejaVu Sans Mono",Menlo,Consolas,monospace;padding-top:.2mm;padding-bottom:.2mm;border:0}
.hashes td:first-child{overflow-wrap:anywhere}
.hashes td:last-child{width:92mm;white-space:nowrap;text-align:right}
footer{margin-top:7mm;padding-top:2.5mm;border-top:.2mm solid var(--line);font-size:7.8pt;color:var(--soft)}
@media print{html,body{background:none}body{width:auto;margin:0;padding:0}}
@media screen and (max-width:700px){body{margin:0;padding:16px}header{display:block}header>img{width:100%;margin-bottom:12px}
 .figures,.columns{grid-template-columns:1fr 1fr}.columns{grid-template-columns:1fr}table{display:block;overflow-x:auto}
 .figures div:nth-child(odd){border-left:0}}`;
