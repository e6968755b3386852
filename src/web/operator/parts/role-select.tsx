import { NativeSelect } from '@mantine/core'
import { useTranslations } from 'use-intl'
import type { OperatorMe } from '../me'

type Role = OperatorMe['role']

interface RoleSelectProps {
  readonly value: Role
  readonly onChange: (role: Role) => void
}

const leads = { viewer: 'viewerLead', staff: 'staffLead', owner: 'ownerLead' } as const

/** Select of an operator's role, with what each may do. */
export function RoleSelect({ value, onChange }: RoleSelectProps) {
  const t = useTranslations('operators')
  const roles = useTranslations('roles')
  return (
    <NativeSelect
      label={t('role')}
      description={t(leads[value])}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value as Role)}
      data={(['viewer', 'staff', 'owner'] as const).map((role) => ({
        value: role,
        label: roles(role),
      }))}
    />
  )
}
