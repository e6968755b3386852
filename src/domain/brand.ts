declare const brand: unique symbol

/** A value whose meaning the type checker keeps apart from others of the same shape. */
export type Brand<Value, Name extends string> = Value & { readonly [brand]: Name }
