import type { AskRequest } from './ask-request.ts';

/** What a request says that names no files. */
export const withoutFiles: Pick<AskRequest, 'files' | 'globPatterns' | 'directories' | 'maxFiles' | 'maxBytes'> = {
  files: [],
  globPatterns: [],
  directories: [],
  maxFiles: 0,
  maxBytes: 0,
};
