/** A value that is being made: what it is made of may still be set. */
export type Editable<Value> = { -readonly [Name in keyof Value]: Value[Name] }
