import type { Clock } from '../../domain/clock'
import type { Pepper } from '../../domain/pepper'
import { faultFields, type Log } from '../../gateway/observability/log'
import { hashSecret } from '../../gateway/identity/secret'
import { requestService } from '../../gateway/outbound/post'
import { openCardService, openGatewayOf, type CardService } from '../../business/payments/card-desk'
import type { CardPayment } from '../../business/payments/card-payment'
import { GatewayFault } from '../../business/payments/card-gateway'
import type { SendToGateway } from '../../business/payments/gateway-wire'
import { openReconciler, type Reconciler } from '../../business/payments/reconciler'
import { openRedeem, type Redeem } from '../../business/payments/voucher'
import { openSettle } from '../../business/payments/settle-payment'
import { trialWords, type TrialSlip, type TrialWordOf } from '../../business/payments/trial-bank'
import type { Storage } from '../../business/data/storage'
import { allDuties, type ProcessDuties } from '../cluster/cluster'
import type { Config } from '../config'
import { reconciledOnDuty } from '../cluster/duty-stores'
import type { Gateway } from '../gateway'

/** What a gateway is waited for. */
const timeoutMs = 10_000

/** The way to gateways. */
export const sendToGateway: SendToGateway = async (request) =>
  await requestService(request, timeoutMs)

/** Settles payments of a folder: for commands, which begin none. */
export function openStoredSettle(storage: Storage, clock: Clock): SettleService {
  const { cardGateways: gateways, trialSlips: slips, cardPayments: store } = storage
  const gatewayOf = openGatewayOf({ gateways, slips, clock, send: sendToGateway })
  return { gatewayOf, settle: openSettle({ store, clock, gatewayOf, onCredited: () => {} }) }
}

type SettleService = Pick<CardService, 'settle' | 'gatewayOf'>

/** Words with which payments at the test bank are paid. */
export const trialWordOf = (pepper: Pick<Pepper, 'lastingHash'>): TrialWordOf =>
  trialWords((text) => pepper.lastingHash(text))

/** HMAC of a redeem code, apart from those of keys. */
export const redeemHash =
  (pepper: Pepper) =>
  (code: string): string =>
    hashSecret(redeemText(code), pepper)

const redeemText = (code: string): string => `redeem:${code}`

interface PaymentServiceParts {
  readonly config: Pick<Config, 'demo'>
  readonly storage: Storage
  readonly duties?: ProcessDuties
  readonly gateway: Pick<Gateway, 'changed' | 'tellCount' | 'tellPayments' | 'holders' | 'parts'>
  readonly clock: Clock
  readonly log: Log
}

/** Money that comes in, in a process that serves. */
export interface PaymentService {
  readonly cards: CardService
  readonly redeem: Redeem
  readonly reconciler: Reconciler
}

/** Opens payments by card. Nothing goes out before the first step of its reconciler. */
export function openPaymentService({
  config,
  storage,
  gateway,
  clock,
  log,
  duties = allDuties,
}: PaymentServiceParts): PaymentService {
  const { settings } = gateway.parts
  const onFault = (fault: unknown) =>
    log.warn(
      'payment processing failed',
      fault instanceof GatewayFault ? { code: fault.code } : faultFields(fault),
    )
  const parts = {
    gateways: storage.cardGateways,
    payments: storage.payments,
    slips: storage.trialSlips,
    send: sendToGateway,
    clock,
    rialsPerCoin: () => settings.coinRials,
    maxRateAgeMs: () => settings.rateMaxAge,
    isDemo: config.demo,
    onTrial({ reference, payment, rials }: TrialSlip) {
      const word = trialWordOf(storage.pepper)(reference)
      log.print(`Test bank: the word for ${payment} (${rials} rials) is ${word}`)
    },
    onFault,
    onCredited({ id, gateway: name }: CardPayment) {
      log.info('payment credited', { payment: id, gateway: name })
      gateway.changed()
      gateway.holders.wake()
    },
    onRefused: () => gateway.holders.wake(),
  } satisfies Omit<Parameters<typeof openCardService>[0], 'store'>
  const cards = openCardService({ ...parts, store: storage.cardPayments })
  const reconciler = openReconciler({
    // Whoever returns from the bank is settled by any process; the clock's work is that of one.
    desk: openCardService({ ...parts, store: reconciledOnDuty(storage, duties) }),
    store: storage.cardPayments,
    gateways: storage.cardGateways,
    clock,
    onFault,
    isOnDuty: () => duties.has('payments'),
    async checkRate() {
      const { trouble, rate } = await cards.offer()
      if (trouble === 'rate_too_old' && rate !== null)
        await gateway.tellPayments.rateTooOld(rate.validFrom)
    },
    onUnknown: ({ gateway: name, payment: id, reference, charge }) =>
      gateway.tellPayments.unknownPayment({ id, gateway: name, reference, ...charge }),
  })
  return {
    cards,
    reconciler,
    redeem: openRedeem({
      store: storage.redeemCodes,
      hashesOf: (code) => storage.pepper.hashes(redeemText(code)),
      wrongAlarm: () => settings.wrongRedeemAlarm,
      onAlarm: (limit) => gateway.tellCount('wrong_redeem_codes', limit),
      onRedeemed: gateway.changed,
    }),
  }
}
