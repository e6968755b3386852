import type { PaymentId } from '../../domain/ids'

const path = '/app/return/'
const shape = /\/app\/return\/(pay_[0-9a-f]{32})$/

/** Address to which a browser returns from the bank. @param origin of the service, without a path */
export const returnAddress = (origin: string, payment: PaymentId): string =>
  `${origin}${path}${payment}`

/** The payment that an address of that kind names; null for any other address. */
export const returnedPayment = (address: unknown): PaymentId | null =>
  typeof address === 'string'
    ? ((shape.exec(URL.parse(address)?.pathname ?? address)?.[1] as PaymentId | undefined) ?? null)
    : null
