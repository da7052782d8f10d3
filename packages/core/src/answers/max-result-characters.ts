/** No result of a tool is longer: beyond that clients cut it, or refuse it, each in its own way. */
export const maxResultCharacters = 40_000;
