const maxVariables = 30;

/** As RFC 6570 has them, so that none is a property that objects have by themselves and that cannot be their own. */
const variable = /^(?!__proto__$)[\w.%]{1,100}$/;

/** The names of the variables in a pattern of addresses (RFC 6570), each once, in its order. */
export function templateVariables(pattern: string): readonly string[] {
  const names = [...pattern.matchAll(/\{([^{}]*)\}/g)].flatMap(([, expression = '']) =>
    expression
      .replace(/^[+#./;?&]/, '')
      .split(',')
      .map((part) => part.replace(/(?::\d+|\*)$/, '')),
  );
  return [...new Set(names.filter((name) => variable.test(name)))].slice(0, maxVariables);
}
