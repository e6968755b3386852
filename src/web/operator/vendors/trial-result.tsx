import { Alert, Stack, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { useNumbers } from '../../numbers'
import { useVendorWords, type Trial } from './vendor'
import { Code } from '../../parts/panel'

/** Result of a trial of a vendor: requests, answers, and their meaning. */
export function TrialResult({ trial }: { readonly trial: Trial }) {
  const t = useTranslations('vendorTrial')
  const { digits } = useNumbers()
  const { balance } = useVendorWords()
  const { name, problem } = trial
  return (
    <Alert {...(trial.ok ? { className: 'notice' } : { color: 'red' })} role="status">
      <Stack gap={6}>
        {name !== null && (
          <Text size="sm" fw={600}>
            {t('credential', { name })}
          </Text>
        )}
        <Text size="sm">
          {problem === null
            ? t('good', { count: trial.models })
            : t(problem.code, { address: problem.address, status: digits(String(problem.status)) })}
          {trial.balance !== null && ` ${t('left', { amount: balance(trial.balance) })}`}
          {trial.is_empty && ` ${t('empty')}`}
        </Text>
        <ul className="plain-rows">
          {trial.asked.map(({ url, status }, at) => (
            <li key={`${at} ${url}`}>
              <Code>GET {url}</Code>
              <span className="number">
                {status === null ? t('silent') : t('heard', { status: digits(String(status)) })}
              </span>
            </li>
          ))}
        </ul>
      </Stack>
    </Alert>
  )
}
