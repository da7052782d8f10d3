/**
 * JSON of the same value with the members of objects in the order that `canonicalJson` gives them. Quicker than that: the first list of a process
 * has this done for every tool of all servers, before anything is compiled. Calls itself for each level.
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
      // To assign it would give the object another prototype.
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
