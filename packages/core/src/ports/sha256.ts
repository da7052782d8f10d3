/** SHA-256 of a text's UTF-8, as 64 hexadecimal digits in lower case. */
export type Sha256 = (text: string) => string;
