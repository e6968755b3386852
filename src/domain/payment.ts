import type { Brand } from './brand'

/** Whole rials: the unit in which Iranian card gateways are charged. */
export type Rial = Brand<number, 'Rial'>

/** States of a card payment. Only `credited` is final: one that failed or was left may still be paid at the bank. */
export const paymentStates = ['started', 'credited', 'refused', 'expired'] as const
export type PaymentState = (typeof paymentStates)[number]

/** Card gateways that can be set up. */
export const gatewayKinds = ['zarinpal', 'zibal', 'stripe'] as const
export type GatewayKind = (typeof gatewayKinds)[number]

/** Name of the built-in test bank. */
export const trialBank = 'bank'
