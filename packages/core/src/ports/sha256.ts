/** SHA-256 of a text's UTF-8, as 64 lower-case hexadecimal digits. */
export type Sha256 = (text: string) => string;
