/**
 * Pattern of a name that a person gives: something to read, on one line. Control characters would be obeyed by the
 * terminal of an operator who lists it, and PostgreSQL keeps no text with U+0000.
 */
export const namePattern = '^(?=.*\\S)[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$'
