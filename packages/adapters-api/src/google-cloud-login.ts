import { excerptFrom } from '@gemini-mcp/core';
import type { GoogleAuth } from 'google-auth-library';
import type { AccessToken, ApiLogin } from './api-login.ts';
import { connectionFailure } from './http/connection-failure.ts';

export type GoogleCloudLoginOptions = {
  readonly project: string;
  /** `global` if missing. */
  readonly location?: string;
  /** The file of credentials: of a service account, of `gcloud auth application-default login`, or of a federation. */
  readonly credentialsFile: string;
};

const scopes = ['https://www.googleapis.com/auth/cloud-platform'];

/**
 * The login of a Google Cloud project, from a file of credentials. It needs the package `google-auth-library`, which it loads with the
 * first request. It never asks a metadata server: without the file the login fails.
 */
export function googleCloudLogin({ project, location = 'global', credentialsFile }: GoogleCloudLoginOptions): ApiLogin {
  let auth: Promise<GoogleAuth> | null = null;
  const accessToken = async (): Promise<AccessToken> => {
    try {
      auth ??= open(credentialsFile);
      const token = await (await auth).getAccessToken();
      return token ? { ok: true, token } : refused('Google gave no access token for the credentials.');
    } catch (error) {
      // The next request tries again: the file may exist by then.
      auth = null;
      return failed(error);
    }
  };
  return { type: 'vertex-project', project, location, accessToken };
}

async function open(keyFilename: string): Promise<GoogleAuth> {
  const library = await import('google-auth-library');
  return new library.GoogleAuth({ keyFilename, scopes });
}

/** Codes of a token request without a response: they say nothing about the login. */
const neverArrived =
  /^(?:ENOTFOUND|EAI_AGAIN|ECONN[A-Z]+|ETIMEDOUT|EPIPE|EHOSTUNREACH|ENETUNREACH|EMFILE|ENFILE)$|CERT/;

function failed(error: unknown): AccessToken {
  const [message, code] =
    error instanceof Error ? [error.message, 'code' in error ? error.code : null] : [String(error), null];
  switch (code) {
    case 'ERR_MODULE_NOT_FOUND':
    case 'MODULE_NOT_FOUND':
      return {
        ok: false,
        failure: {
          kind: 'configuration',
          excerpt: 'A login of Google Cloud needs the package google-auth-library (version 10).',
        },
      };
    case 'ENOENT':
      return { ok: false, failure: { kind: 'authentication', problem: 'missing', excerpt: excerptFrom(message) } };
    default:
      return neverArrived.test(String(code)) ? { ok: false, failure: connectionFailure(error) } : refused(message);
  }
}

function refused(said: string): AccessToken {
  return { ok: false, failure: { kind: 'authentication', problem: 'rejected', excerpt: excerptFrom(said) } };
}
