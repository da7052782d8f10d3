const lineHeight = 19;
const characterWidth = 7.25;
const margin = 16;
const width = 840;

export type DrawTerminalOptions = {
  /** For a reader who does not see it. */
  readonly title: string;
  readonly command: string;
  readonly output: string;
  readonly kindOf: (line: string) => 'server' | 'todo' | 'plain';
};

/** What a command prints, as a picture (SVG) in light or dark like the page around it. */
export function drawTerminal({ title, command, output, kindOf }: DrawTerminalOptions): string {
  const lines = output.trimEnd().split('\n');
  const height = margin * 2 + lineHeight * (lines.length + 1);
  const shown = [text('prompt', `$ ${command}`, 0), ...lines.map((line, index) => text(kindOf(line), line, index + 1))];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
  <title id="title">${escapeText(title)}</title>
  <style>
    text { font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; fill: #1f2328; }
    .prompt { fill: #59636e; }
    .server { font-weight: 700; }
    .todo { fill: #9a6700; }
    .box { fill: #f6f8fa; stroke: #818b98; }
    @media (prefers-color-scheme: dark) {
      text { fill: #f0f6fc; }
      .prompt { fill: #9198a1; }
      .todo { fill: #d29922; }
      .box { fill: #151b23; stroke: #656c76; }
    }
  </style>
  <rect class="box" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${shown.join('\n')}
</svg>
`;
}

function text(kind: string, line: string, index: number): string {
  const indent = line.length - line.trimStart().length;
  const x = margin + Math.round(indent * characterWidth);
  const y = margin + lineHeight * index + 13;
  const words = escapeText(line.trim()).replaceAll('  ', ' \u00a0');
  return `  <text${kind === 'plain' ? '' : ` class="${kind}"`} x="${x}" y="${y}">${words}</text>`;
}

function escapeText(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
