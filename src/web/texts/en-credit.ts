import type { faCredit, faCreditErrors, faCreditNav } from './fa-credit'

export const enCredit: typeof faCredit = {
  credit: {
    title: 'Add credit',
    lead: 'You pay in tomans or in your own currency, and the account keeps dollars. Requests take from them.',
    way: 'Payment gateway',
    zarinpal: 'ZarinPal',
    zibal: 'Zibal',
    stripe: 'International card',
    bank: 'Test bank',
    trial: 'No gateway is set up yet; this bank is inside of the program and moves no real money.',
    amount: 'Amount',
    tomans: '{count} toman',
    other: 'Another amount',
    inTomans: 'in tomans',
    inDollars: 'in dollars',
    atLeast: '{amount} at least',
    rate: 'A dollar is {count} toman',
    promise:
      'Once you press the button this rate is kept for you for {minutes, number} minutes; after that the rate of the moment of payment counts.',
    pay: 'Pay {amount}',
    get: '{usd} will be added to your credit.',
    closed: 'Payment by card is closed',
    closedOff: 'This service has no payment gateway yet. If you have a redeem code, type it below.',
    closedNoAddress:
      'The operator of this service has not set its public address (CHAPAR_URL) yet, so banks could not lead back here.',
    closedNoRate: 'The rate of the dollar is not set yet. Please come back a little later.',
    closedOldRate:
      'The rate of the dollar has not been renewed since {since}, and payment stays closed until it is. Please come back a little later.',
    history: 'Payments',
    noPayments: 'You have not paid by card yet',
    noPaymentsLead: 'Payments stay here with their receipts. The statement has every movement.',
    started: 'waiting',
    credited: 'done',
    refused: 'not done',
    expired: 'left',
    redeem: 'Redeem code',
    redeemLead: 'Type a code that you have bought; each works once.',
    code: 'Code of twenty digits',
    redeemNow: 'Add',
    redeemed: '{usd} was added to your credit.',
  },
}

export const enCreditNav: typeof faCreditNav = { credit: 'Add credit' }

export const enCreditErrors: typeof faCreditErrors = {
  top_up_off: 'This service has no payment gateway yet.',
  public_url_missing:
    'Payment by card is closed: the operator has to set CHAPAR_URL, the public address of this service.',
  rate_missing: 'The rate of the dollar is not set yet. Try again a little later.',
  rate_too_old:
    'The rate of the dollar is old, and payment is closed until it is renewed. Try again a little later.',
  rate_changed:
    'The rate of the dollar has changed and the amounts are new. Look and press again. Nothing was paid.',
  coins_out_of_range: 'The amount must be {min, number} to {max, number} toman.',
  usd_out_of_range: 'The amount must be {min, number} to {max, number} dollars.',
  top_up_too_often: 'Too many payments were begun. Try again in {waitMinutes, number} minutes.',
  account_suspended: 'This account is closed. Please contact support.',
  gateway_unknown: 'This gateway is gone. Reload the page.',
  gateway_refused:
    'The gateway did not take the payment, and nothing was paid. Try again a little later. (code {fault})',
  payment_not_found: 'There is no payment with this number in this account.',
  redeem_code_invalid: 'A redeem code has twenty digits. Please look again.',
  redeem_code_unknown: 'This code is not right. You can try {left, number} more times.',
  redeem_code_used: 'This code has been used before.',
  redeem_code_yours: 'This code was added to this account before.',
  redeem_code_over: 'This code is over or was revoked. Please contact whoever sold it.',
  redeem_locked: 'Too many wrong codes. Try again in {waitMinutes, number} minutes.',
}
