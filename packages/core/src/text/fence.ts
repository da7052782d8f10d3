/**
 * Text from strangers between two tags of which it does not hold the name, so that nothing in it can close the fence. The text
 * itself stays as it is.
 */
export function fence(name: string, text: string): string {
  let number = 1;
  while (text.includes(`${name}-${number}`)) {
    number += 1;
  }
  const tag = `${name}-${number}`;
  return `<${tag}>\n${text}\n</${tag}>`;
}
