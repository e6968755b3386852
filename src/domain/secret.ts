import type { Brand } from './brand'

/** An API key in clear. Never printed, logged or stored; shown once, when it is made. */
export type Secret = Brand<string, 'Secret'>
