/** Reads the data of each event as it comes; null after the last. */
export function readEvents({ body }: Response): {
  readonly next: () => Promise<string | null>;
  readonly cancel: () => Promise<void>;
} {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    cancel: async () => reader?.cancel(),
    next: async () => {
      while (!text.includes('\n\n')) {
        const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
        if (done) {
          return null;
        }
        text += value;
      }
      const event = text.slice(0, text.indexOf('\n\n'));
      text = text.slice(event.length + 2);
      return /^data: (.*)$/m.exec(event)?.[1] ?? `"${event}"`;
    },
  };
}
