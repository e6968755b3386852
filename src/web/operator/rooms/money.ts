/** Payments, codes and verifications: pages that come together, since they share most of their parts. */
export { CardPaymentPage } from '../pages/card-payment'
export { PaymentsDesk } from '../pages/payments-desk'
export { RedeemCodeDesk } from '../pages/redeem-code-desk'
export { VerificationQueue } from '../pages/verification-queue'
