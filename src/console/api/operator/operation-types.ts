export type { FindingCode } from '../../../admin/doctor-codes'
export type { OperationMethod, ResultOf, SentTo } from '../../../admin/operations/operation'
export type { OperationTable } from '../../../admin/operations/table'
export type { OperatorRole } from '../../../operators/role'
