import {
  bearer,
  type ClientForm,
  type EntryOf,
  quotedString,
  type Reference,
  stdioServer,
  tokenVariable,
} from '../client-form.ts';

const place = 'Put it into ~/.continue/config.yaml.';

const reference: Reference = (name) => `\${{ secrets.${name} }}`;

const entryOf: EntryOf = (entry) => ({
  name: 'gemini',
  type: 'stdio',
  ...stdioServer(entry, reference),
});

export const continueDev: ClientForm = {
  names: ['continue-cli-client', 'continue-client'],
  passVariable: (variable) =>
    `Continue takes it from ~/.continue/config.yaml: add \`${variable}: "${reference(variable)}"\` to \`env\` of the entry of this server, set ${variable} where Continue is started (in an editor: in ~/.continue/.env), and start Continue again.`,
  entry: entryOf,
  stdio: ({ command, args, variables }) => ({
    text: server([
      'type: stdio',
      `command: ${quotedString(command)}`,
      ...block(
        'args:',
        args.map((word) => `- ${quotedString(word)}`),
      ),
      ...block(
        'env:',
        variables.map((name) => `${name}: ${quotedString(reference(name))}`),
      ),
    ]),
    place: `${place} Continue takes the variables from its own environment, in an editor from ~/.continue/.env.`,
  }),
  http: (entry) => ({
    text: server([
      'type: streamable-http',
      `url: ${quotedString(entry.url)}`,
      'requestOptions:',
      ...block('  headers:', [`  Authorization: ${quotedString(bearer(entry, reference))}`]),
    ]),
    place:
      entry.token === null
        ? `${place} Continue takes the token from ${tokenVariable} in its own environment, in an editor from ~/.continue/.env.`
        : place,
  }),
};

function server(lines: readonly string[]): string {
  return `${['mcpServers:', '  - name: gemini', ...lines.map((line) => `    ${line}`)].join('\n')}\n`;
}

/** A key with the lines below it; nothing without lines. */
function block(key: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : [key, ...lines.map((line) => `  ${line}`)];
}
