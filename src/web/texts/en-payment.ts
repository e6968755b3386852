import type { faPayment } from './fa-payment'

/** Texts of the page of one payment, its receipt included. */
export const enPayment: typeof faPayment = {
  payment: {
    title: 'Payment',
    waiting: 'Waiting for the bank…',
    waited: '{seconds, number} seconds so far. This page renews itself.',
    longWait:
      'The bank has not given a clear answer yet. We go on asking, and if you have paid the credit will be added; you may leave.',
    credited: 'Credit added',
    refused: 'Not paid',
    expired: 'Payment left',
    refusedLead:
      'Nothing was added to your credit. If money left your card, the bank returns it within 72 hours; and if the gateway calls it paid, we add it by ourselves.',
    fault: 'Code of the gateway',
    again: 'Pay again',
    home: 'Home',
    all: 'All payments',
    print: 'Print receipt',
    receipt: 'Receipt',
    number: 'Payment number',
    date: 'Date',
    isoDate: 'ISO date',
    account: 'Account',
    accountText: '{name} (number {number})',
    gateway: 'Gateway',
    paid: 'Paid',
    rials: '{count} rials',
    rate: 'Rate of a dollar',
    late: 'The promised rate was over; the rate of the moment of confirmation counted.',
    added: 'Added to credit',
    card: 'Card',
    bankNumber: 'Gateway’s receipt number',
    reference: 'Gateway’s reference',
  },
}
