import type { Reference } from './settings-text.ts';

export type SettingsAdvice = {
  /** The client, as people call it. */
  readonly client: string;
  readonly file: string;
  /** Null where the file takes the value itself. */
  readonly reference: Reference | null;
};

/** How a variable reaches a server by the `env` of its entry in the settings. */
export function adviseOnSettings({ client, file, reference }: SettingsAdvice): (variable: string) => string {
  return (variable) => {
    const value = reference === null ? `<${variable}>` : reference(variable);
    const source =
      reference === null
        ? ' with the value in place of the angle brackets,'
        : ` set ${variable} where ${client} is started,`;
    return `${client} takes it from ${file}: add \`"env": { "${variable}": "${value}" }\` to the entry of this server,${source} and start ${client} again.`;
  };
}
