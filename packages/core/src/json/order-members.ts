/**
 * The same JSON value with its members in the order of `canonicalJson`, but faster: the first list of a process needs this for every tool of every
 * server, before any code is compiled. Recurses for each level.
 */
export function orderMembers(json: unknown): unknown {
  if (Array.isArray(json)) {
    return json.map(orderMembers);
  }
  return isObject(json) ? orderObject(json) : json;
}

function orderObject(json: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(json).sort()) {
    const value = orderMembers(json[name]);
    if (name === '__proto__') {
      // An assignment to `__proto__` would change the object's prototype.
      Object.defineProperty(ordered, name, { value, enumerable: true });
    } else {
      ordered[name] = value;
    }
  }
  return ordered;
}

function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null;
}
