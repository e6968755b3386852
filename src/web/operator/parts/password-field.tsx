import { PasswordInput } from '@mantine/core'
import { useTranslations } from 'use-intl'

interface PasswordFieldProps {
  readonly value: string
  readonly onChange: (event: { currentTarget: { value: string } }) => void
  readonly isNew?: boolean
}

/** Password field of operators. */
export function PasswordField({ value, onChange, isNew = false }: PasswordFieldProps) {
  const t = useTranslations('operatorEntrance')
  const setup = useTranslations('operatorSetup')
  return (
    <PasswordInput
      label={t('password')}
      description={isNew ? setup('passwordLead') : null}
      value={value}
      onChange={onChange}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      name="password"
      size="md"
      required
      withAsterisk={false}
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword') }}
    />
  )
}
