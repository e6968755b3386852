/** Addresses of the service that a message leads to; null where the operator set none. */
export interface Links {
  /** Where keys, limits and identity are looked after. */
  readonly appUrl: string | null
  /** Where money comes in. */
  readonly topUpUrl: string | null
  readonly supportUrl: string | null
}

/** Links of a service that has none. */
export const noLinks: Links = { appUrl: null, topUpUrl: null, supportUrl: null }
