/** The URIs that a client gave as its roots, unchecked; null where it offers none or has not answered. */
export type ClientRootUris = readonly string[] | null;
