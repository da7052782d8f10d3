/** What a runner refused to carry, and how far over its limit it was. */
export type InputRefusal = {
  readonly measure: 'bytes' | 'characters' | 'bytes of media';
  readonly actual: number;
  readonly limit: number;
};
