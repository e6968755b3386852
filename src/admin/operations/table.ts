import { closingOperations } from './account-closing'
import { noteOperations } from './account-notes'
import { accountOperations } from './accounts'
import { cardGatewayOperations } from './card-gateways'
import { checklistOperations } from './checklist'
import { codeOperations } from './codes'
import { mailOperations } from './mail'
import { smsOperations } from './sms-providers'
import { checkerOperations } from './verification-service'
import { verificationOperations } from './verifications'
import { moneyOperations } from './account-money'
import { groupOperations } from './groups'
import { healthOperations } from './health'
import { identityOperations } from './identity'
import { keyOperations } from './keys'
import { liveOperations } from './live-calls'
import { nodeOperations } from './nodes'
import { noticeOperations } from './notices'
import { paymentOperations } from './payments'
import { peopleOperations } from './people'
import { projectOperations } from './projects'
import { rateOperations } from './rate'
import { requestOperations } from './requests'
import { searchOperations } from './search'
import { settingOperations } from './settings'
import { sisterOperations } from './sister-service'
import { trailOperations } from './trail'
import { operatorOperations } from './operators'
import { overviewOperations } from './overview'
import { profitOperations } from './profit'
import { usageOperations } from './usage'
import { videoOperations } from './videos'
import { billOperations } from './bills'
import { modelAliasOperations } from './model-aliases'
import { modelImportOperations } from './model-imports'
import { modelOperations } from './models'
import { priceCheckOperations } from './price-checks'
import { pricePreviewOperations } from './price-preview'
import { priceProposalOperations } from './price-proposals'
import { pricingOperations } from './pricing'
import { vendorCredentialOperations } from './vendor-credentials'
import { vendorOperations } from './vendors'
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
