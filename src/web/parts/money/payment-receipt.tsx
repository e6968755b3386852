import { Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslations, useLocale } from 'use-intl'
import type { api } from '../../client'
import { useMe } from '../../me'
import { useNumbers } from '../../numbers'
import { useGatewayName } from '../gateway-name'
import { serviceName } from '../../title'

export type PaymentAnswer = NonNullable<
  Awaited<ReturnType<ReturnType<(typeof api)['top-ups']>['get']>>['data']
>

const allPlaces = 9
const ratePlaces = 6
const rialCurrency = 'IRR'

/** Receipt of a payment, for the books of whoever paid. */
export function PaymentReceipt({ payment }: { readonly payment: PaymentAnswer }) {
  const t = useTranslations('payment')
  const ways = useTranslations('credit')
  const { usd, count, digits, amount } = useNumbers()
  const { fullMoment } = useReceiptNumbers()
  const gatewayName = useGatewayName()
  const me = useMe().data
  const { receipt } = payment
  if (receipt === null) return null
  const rate = receipt.rate ?? payment.rate
  const name = me?.account.id === payment.account ? digits(me.account.name) : serviceName
  const rows: readonly (readonly [string, ReactNode] | null)[] = [
    [t('number'), <Id key="id">{payment.id}</Id>],
    [t('date'), fullMoment(receipt.at)],
    [t('isoDate'), <Id key="iso">{inUtc(receipt.at)}</Id>],
    [
      t('account'),
      <bdi key="account">{t('accountText', { name, number: count(payment.account) })}</bdi>,
    ],
    [t('gateway'), gatewayName(payment.kind)],
    [t('paid'), <Paid key="paid" payment={payment} />],
    rate === null ? null : [t('rate'), ways('tomans', { count: amount(Number(rate), ratePlaces) })],
    [t('added'), <b key="added">{usd(payment.usd, allPlaces)}</b>],
    receipt.card === null ? null : [t('card'), <Id key="card">{receipt.card}</Id>],
    [t('bankNumber'), <Id key="number">{receipt.number}</Id>],
    [t('reference'), <Id key="reference">{payment.reference ?? '–'}</Id>],
  ]
  return (
    <>
      <table className="receipt payment-receipt">
        <tbody>
          {rows.map(
            (row) =>
              row !== null && (
                <tr key={row[0]}>
                  <th scope="row" className="soft">
                    {row[0]}
                  </th>
                  <td>{row[1]}</td>
                </tr>
              ),
          )}
        </tbody>
      </table>
      {receipt.is_late && (
        <Text size="xs" className="soft" mt="sm">
          {t('late')}
        </Text>
      )}
    </>
  )
}

/** `2026-11-26 20:33:29 UTC`: for books, whatever calendar its reader has. */
function inUtc(at: number): string {
  const iso = new Date(at).toISOString()
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}

/** In coins and rials, or in the currency of the gateway. */
function Paid({ payment: { coins, charged, currency } }: { readonly payment: PaymentAnswer }) {
  const t = useTranslations('payment')
  const ways = useTranslations('credit')
  const { count } = useNumbers()
  const { money } = useReceiptNumbers()
  if (currency !== rialCurrency) return money(charged, currency)
  return (
    <>
      {coins !== null && <div>{ways('tomans', { count: count(coins) })}</div>}
      <div className="soft">{t('rials', { count: count(charged) })}</div>
    </>
  )
}

const Id = ({ children }: { readonly children: string }) => (
  <bdi className="code request-id" dir="ltr" lang="en">
    {children}
  </bdi>
)

/** Dates and amounts as receipts on paper have them. */
function useReceiptNumbers() {
  const isPersian = useLocale() === 'fa'
  return {
    /** With its year and seconds, on the clock of whoever reads. */
    fullMoment: (ms: number): string =>
      new Intl.DateTimeFormat(isPersian ? 'fa-IR-u-ca-persian' : 'en-GB', {
        dateStyle: 'long',
        timeStyle: 'medium',
      }).format(ms),
    /** @param minor in the smallest unit of the currency */
    money(minor: number, currency: string): string {
      const form = new Intl.NumberFormat(isPersian ? 'fa-IR' : 'en', {
        style: 'currency',
        currency,
      })
      return form.format(minor / 10 ** (form.resolvedOptions().maximumFractionDigits ?? 0))
    },
  }
}
