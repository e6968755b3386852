/** Carrier of sign-in codes. */
export const smsProviderKinds = [
  'kavenegar',
  'sms.ir',
  'twilio',
  'webhook',
  'command',
  'log',
] as const
export type SmsProviderKind = (typeof smsProviderKinds)[number]

/** One provider as the operator set it up. */
export interface SmsProvider {
  readonly name: string
  readonly kind: SmsProviderKind
  /** Its options, none of them secret: the names are those of the kind. */
  readonly options: Readonly<Record<string, string>>
  /** Our key there; null where it needs none. */
  readonly secret: string | null
}

/** Providers, in the order in which they are tried. */
export interface SmsProviderStore {
  list(): Promise<readonly SmsProvider[]>
  /** Replaces the one of that name in its place; a new one is tried last. */
  save(provider: SmsProvider): Promise<void>
  /** @returns whether there was one */
  remove(name: string): Promise<boolean>
}
