/** The lists that a client reads of a surface. Templates have a list of their own, but share their notice with the resources. */
export type ListName = 'tools' | 'prompts' | 'resources' | 'templates';
