import { closingOperations } from '../accounts/operations/account-closing'
import { noteOperations } from '../accounts/operations/account-notes'
import { accountOperations } from '../accounts/operations/accounts'
import { cardGatewayOperations } from '../payments/operations/card-gateways'
import { checklistOperations } from '../operators/operations/checklist'
import { codeOperations } from '../payments/operations/vouchers'
import { mailOperations } from '../notices/operations/mail'
import { smsOperations } from '../notices/operations/sms-providers'
import { checkerOperations } from '../verification/operations/verification-service'
import { verificationOperations } from '../verification/operations/verifications'
import { moneyOperations } from '../accounts/operations/account-money'
import { groupOperations } from '../accounts/operations/groups'
import { healthOperations } from './operations/health'
import { identityOperations } from '../operators/operations/identity'
import { keyOperations } from '../accounts/operations/keys'
import { liveOperations } from '../usage/operations/live-calls'
import { nodeOperations } from './operations/nodes'
import { noticeOperations } from '../notices/operations/notices'
import { paymentOperations } from '../payments/operations/payments'
import { peopleOperations } from '../users/operations/users'
import { projectOperations } from '../accounts/operations/projects'
import { rateOperations } from '../payments/operations/rate'
import { requestOperations } from '../usage/operations/requests'
import { searchOperations } from '../usage/operations/search'
import { settingOperations } from '../settings/operations/settings'
import { sisterOperations } from '../users/operations/sso'
import { trailOperations } from '../operators/operations/audit-log'
import { operatorOperations } from '../operators/operations/operators'
import { overviewOperations } from '../usage/operations/overview'
import { profitOperations } from '../pricing/operations/profit'
import { usageOperations } from '../usage/operations/usage'
import { videoOperations } from '../usage/operations/videos'
import { billOperations } from '../bills/operations/bills'
import { modelAliasOperations } from '../catalogue/operations/model-aliases'
import { modelImportOperations } from '../catalogue/operations/model-imports'
import { modelOperations } from '../catalogue/operations/models'
import { priceCheckOperations } from '../pricing/operations/price-checks'
import { pricePreviewOperations } from '../pricing/operations/price-preview'
import { priceProposalOperations } from '../pricing/operations/price-proposals'
import { pricingOperations } from '../pricing/operations/pricing'
import { vendorCredentialOperations } from '../catalogue/operations/vendor-credentials'
import { vendorOperations } from '../catalogue/operations/vendors'
import type { Operation } from './operation'

/** Every operation, by subject. Another subject is a file with its rows, and a line here. */
const operations = [
  ...identityOperations,
  ...accountOperations,
  ...closingOperations,
  ...noteOperations,
  ...peopleOperations,
  ...groupOperations,
  ...moneyOperations,
  ...projectOperations,
  ...keyOperations,
  ...requestOperations,
  ...liveOperations,
  ...nodeOperations,
  ...videoOperations,
  ...usageOperations,
  ...profitOperations,
  ...paymentOperations,
  ...rateOperations,
  ...codeOperations,
  ...verificationOperations,
  ...checkerOperations,
  ...cardGatewayOperations,
  ...smsOperations,
  ...mailOperations,
  ...sisterOperations,
  ...noticeOperations,
  ...settingOperations,
  ...checklistOperations,
  ...searchOperations,
  ...trailOperations,
  ...modelOperations,
  ...modelAliasOperations,
  ...modelImportOperations,
  ...pricingOperations,
  ...pricePreviewOperations,
  ...priceCheckOperations,
  ...priceProposalOperations,
  ...vendorOperations,
  ...vendorCredentialOperations,
  ...billOperations,
  ...overviewOperations,
  ...healthOperations,
  ...operatorOperations,
] as const

/** Same, for who mounts or describes them. */
export const operationRows: readonly Operation[] = operations

/** Operations by `METHOD /path`, for those who call them with their types. */
export type OperationTable = {
  [Row in (typeof operations)[number] as `${Row['method']} ${Row['path']}`]: Row
}
