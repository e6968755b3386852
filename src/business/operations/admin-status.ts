import type { AdminCode } from './admin-error'

type Status = 400 | 403 | 404 | 409

/** What is there already, or is in a state that does not allow it. */
const conflicts: ReadonlySet<AdminCode> = new Set<AdminCode>([
  'call_not_stoppable',
  'call_running',
  'refunded_before',
  'video_open',
  'balance_below_zero',
  'alias_is_model',
  'alias_taken',
  'phone_taken',
  'account_closed',
  'account_without_owner',
  'group_exists',
  'notice_not_failed',
  'account_busy',
  'payment_waits',
  'reference_taken',
  'key_revoked',
  'vendor_exists',
  'vendor_trial_failed',
  'model_exists',
  'credential_exists',
  'credential_known',
  'last_credential',
  'proposal_not_pending',
  'changed_since',
  'operator_exists',
  'operator_ready',
  'operators_set_up',
  'last_operator',
  'rate_not_set',
  'commands_busy',
  'kept_in_memory',
])

/** What another operator, or a command on the machine, may. */
const forbidden: ReadonlySet<AdminCode> = new Set<AdminCode>([
  'role_too_low',
  'amount_above_staff',
  'staff_day_used',
  'staff_verifications_used',
  'key_limit_needed',
  'only_on_machine',
])

/** The HTTP status of a refused change. */
export function adminStatus(code: AdminCode): Status {
  if (forbidden.has(code)) return 403
  if (code.endsWith('_not_found')) return 404
  return conflicts.has(code) ? 409 : 400
}
