import { Box, Button, type ButtonProps, VisuallyHidden } from '@mantine/core'
import { IconDeviceMobileQuestion } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { phoneRequests } from '../../queries/phone-requests.ts'
import { ButtonPopover } from '../../ui/ButtonPopover.tsx'
import { chime, useChimeSetting, useUnlockedSound } from './chime.ts'
import classes from './phone-inbox.module.css'
import { useNewPhoneNotice } from './use-new-phone-notice.ts'
import { WaitingPhones } from './WaitingPhones.tsx'

/** A button with the number of new phones that wait for the host; it opens their list. */
export function PhoneInbox({ size }: { size?: Pick<ButtonProps, 'h' | 'px' | 'fz'> }) {
  const query = useQuery(phoneRequests)
  const count = query.data?.length ?? 0
  const [isChimeOn] = useChimeSetting()
  useUnlockedSound()
  const arrival = useNewPhoneNotice(query.data, () => {
    if (isChimeOn) void chime('notice')
  })

  return (
    <>
      <VisuallyHidden role="status">{arrival}</VisuallyHidden>
      <ButtonPopover
        label="New phones"
        className={classes.inbox}
        position="bottom-end"
        width="min(29rem, calc(100vw - 1.5rem))"
        button={(toggle) => (
          <Button
            variant="default"
            {...size}
            className={classes.opener}
            title="New phones"
            leftSection={<IconDeviceMobileQuestion size={17} aria-hidden="true" />}
            rightSection={
              count > 0 ? (
                <Box component="span" className="chip" bg="var(--brand)" c="var(--on-filled)" aria-hidden="true">
                  {count > 99 ? '99+' : count}
                </Box>
              ) : null
            }
            onClick={toggle}
          >
            New phones
            {count > 0 ? <span className="unseen">, {waitingWords(count)}</span> : null}
          </Button>
        )}
      >
        <WaitingPhones query={query} />
      </ButtonPopover>
    </>
  )
}

function waitingWords(count: number): string {
  return count === 1 ? '1 phone waits for you' : `${count} phones wait for you`
}
