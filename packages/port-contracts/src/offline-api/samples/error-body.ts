export type Detail = Readonly<Record<string, unknown>>;

/** A detail of a type of `google.rpc`. */
export function detailOf(name: string, members: Detail): Detail {
  return { '@type': `type.googleapis.com/google.rpc.${name}`, ...members };
}

export function errorInfo(reason: string, metadata: Detail, domain: string = 'googleapis.com'): Detail {
  return detailOf('ErrorInfo', { reason, domain, metadata });
}

/** The body of an error, printed as the APIs print it. */
export function errorBody(code: number, status: string, message: string, ...details: readonly Detail[]): string {
  return JSON.stringify({ error: { code, message, status, ...(details.length > 0 && { details }) } }, null, 2);
}

/** Details that name the origin of an error of the Gemini API. */
export const geminiService: Detail = { service: 'generativelanguage.googleapis.com' };
