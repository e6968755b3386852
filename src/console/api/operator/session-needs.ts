import type { Operation } from '../../../business/operations/operation'
import type { OperationTable } from '../../../business/operations/table'

/** Authentication that an operation requires at the console; `fresh proof`: shown in this session a moment ago. */
type OperationNeed = 'session' | 'fresh proof'

type ChangeName = Exclude<keyof OperationTable, `GET ${string}`>

/**
 * Every operation that changes something. A stolen session must stay small: by what needs a fresh proof a
 * thief would stay in once the session is over, shut operators out, or lead others elsewhere.
 */
export const operationNeeds: Readonly<Record<ChangeName, OperationNeed>> = {
  'POST /accounts/{id}/phones': 'session',
  'POST /accounts/{id}/look': 'session',
  'POST /accounts': 'session',
  'PATCH /accounts/{id}': 'session',
  // For good.
  'POST /accounts/{id}/closing': 'fresh proof',
  'POST /accounts/{id}/notes': 'session',
  'DELETE /accounts/{id}/notes/{note}': 'session',
  'POST /people/{id}/unlock': 'session',
  // Whoever has the new number signs in there.
  'POST /people/{id}/move': 'fresh proof',
  'DELETE /people/{id}/move': 'session',
  'POST /phones/unlock': 'session',
  'POST /groups': 'session',
  'PATCH /groups/{id}': 'session',
  'DELETE /groups/{id}': 'session',
  'PUT /groups/{id}/price-rules': 'session',
  'DELETE /groups/{id}/price-rules': 'session',
  'POST /accounts/{id}/adjustments': 'session',
  'POST /accounts/{id}/topups': 'session',
  'POST /accounts/{id}/projects': 'session',
  'PATCH /projects/{id}': 'session',
  'POST /projects/{id}/keys': 'fresh proof',
  'PATCH /keys/{id}': 'session',
  'PUT /keys/{id}/on': 'session',
  'DELETE /keys/{id}': 'session',
  'POST /requests/{id}/refund': 'session',
  'POST /live/{id}/stop': 'session',
  'POST /payments/{id}/settle': 'session',
  'PUT /rate': 'session',
  'POST /codes': 'session',
  'POST /codes/revocations': 'session',
  'POST /verifications/{id}/code': 'session',
  'POST /verifications/{id}/approval': 'session',
  'POST /verifications/{id}/rejection': 'session',
  // National codes are sent there.
  'PUT /verification-service': 'fresh proof',
  'DELETE /verification-service': 'session',
  // Customers are led there to pay.
  'PUT /gateways/{name}': 'fresh proof',
  'DELETE /gateways/{name}': 'session',
  'POST /gateways/{name}/test': 'session',
  'PUT /sms-providers/{name}': 'fresh proof',
  'DELETE /sms-providers/{name}': 'session',
  'POST /sms-providers/{name}/test': 'session',
  // Codes and notices go there, as they do by SMS.
  'PUT /mail': 'fresh proof',
  'DELETE /mail': 'session',
  'POST /mail/test': 'session',
  // Its tickets sign people in.
  'PUT /sister-service': 'fresh proof',
  'DELETE /sister-service': 'session',
  'POST /sister-service/ticket-checks': 'session',
  'POST /notices/{id}/retry': 'session',
  'POST /notices/sample': 'session',
  'POST /notices/tests': 'session',
  // Addresses of operators, lives of sessions and where customers are led are settings.
  'PUT /settings/{name}': 'fresh proof',
  'DELETE /settings/{name}': 'fresh proof',
  // A setting may come back by it.
  'POST /trail/{id}/undo': 'fresh proof',
  'POST /models': 'session',
  'PATCH /models/{id}': 'session',
  'DELETE /models/{id}': 'session',
  'PUT /model-aliases/{id}': 'session',
  'DELETE /model-aliases/{id}': 'session',
  'POST /model-imports/preview': 'session',
  'POST /model-imports': 'session',
  'PUT /price-rules': 'session',
  'DELETE /price-rules': 'session',
  'PUT /vendor-costs': 'session',
  'POST /prices/preview': 'session',
  'POST /price-proposals/approvals': 'session',
  'POST /price-proposals/rejections': 'session',
  'POST /price-checks': 'session',
  // Requests of customers are read there.
  'POST /vendors': 'fresh proof',
  'PATCH /vendors/{name}': 'fresh proof',
  'DELETE /vendors/{name}': 'session',
  'POST /vendors/{name}/test': 'session',
  'POST /vendors/{name}/credentials': 'session',
  'PATCH /vendors/{name}/credentials/{credential}': 'session',
  'DELETE /vendors/{name}/credentials/{credential}': 'session',
  'POST /bills/check': 'session',
  'POST /bills/fetch': 'session',
  'POST /health/backups': 'session',
  'POST /operators': 'fresh proof',
  'PATCH /operators/{name}': 'fresh proof',
  'DELETE /operators/{name}': 'fresh proof',
  'POST /operators/{name}/reset': 'fresh proof',
  'POST /operators/{name}/link': 'fresh proof',
  'POST /operators/links': 'fresh proof',
  'POST /operator-keys': 'fresh proof',
  'DELETE /operator-keys/{id}': 'session',
}

/** Whether an operation must come from a session with a fresh proof; so must a change that the table does not know. */
export function needsFreshProof({ method, path }: Pick<Operation, 'method' | 'path'>): boolean {
  if (method === 'GET') return false
  const needs: Readonly<Record<string, OperationNeed>> = operationNeeds
  return (needs[`${method} ${path}`] ?? 'fresh proof') === 'fresh proof'
}
