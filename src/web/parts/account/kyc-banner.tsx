import { Alert, Button, Group, Progress, Text } from '@mantine/core'
import { useTranslations } from 'use-intl'
import { Link, useLocation } from 'wouter'
import type { Me } from '../../me'
import { useNumbers } from '../../numbers'

type Kyc = NonNullable<Me['account']['kyc']>

const nearPercent = 80
const fullPercent = 100

/** Whole percents of what may be spent, at most 100; a ceiling of nothing is used up. */
const shareOf = ({ spent_usd: spent, ceiling_usd: ceiling }: Kyc): number =>
  Number(ceiling) === 0
    ? fullPercent
    : Math.min(fullPercent, Math.floor((fullPercent * Number(spent)) / Number(ceiling)))

/** Banner of what may be spent before verification, on every page until it is done. */
export function KycBanner({ kyc }: { readonly kyc: Kyc }) {
  const t = useTranslations('kyc')
  const { usd } = useNumbers()
  const [path] = useLocation()
  const share = shareOf(kyc)
  const isNear = share >= nearPercent
  const ceiling = usd(kyc.ceiling_usd)
  const lead =
    kyc.state === 'submitted'
      ? t('waits')
      : kyc.state === 'rejected'
        ? t('rejected')
        : t(share >= fullPercent ? 'bannerFull' : isNear ? 'bannerNear' : 'banner', { ceiling })
  return (
    <Alert className={isNear ? 'notice' : 'card'} role="status" mb="lg">
      <Group justify="space-between" align="center" gap="sm">
        <div className="kyc-text">
          <Text size="sm">{lead}</Text>
          <Group gap="sm" mt={8} wrap="nowrap">
            <Progress
              size={6}
              value={share}
              color={share >= fullPercent ? 'red' : isNear ? 'saffron' : 'firuze'}
              aria-label={t('bar')}
              className="kyc-bar"
            />
            <Text size="sm" className="soft number kyc-figures">
              {t('of', { spent: usd(kyc.spent_usd), ceiling })}
            </Text>
          </Group>
        </div>
        {path !== '/verify' && (
          <Button
            component={Link}
            href="/verify"
            variant={kyc.state === null ? 'filled' : 'default'}
          >
            {t(kyc.state === null ? 'go' : 'see')}
          </Button>
        )}
      </Group>
    </Alert>
  )
}
