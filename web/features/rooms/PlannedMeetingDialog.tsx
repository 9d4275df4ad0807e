import {
  Box,
  Button,
  Checkbox,
  Group,
  NativeSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core'
import { schemaResolver, useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { PlanMeeting, type PlannedMeeting, WEEKDAYS } from '../../../shared/planned-meetings.ts'
import { ApiError, fieldErrorsOf, generalMessageOf } from '../../lib/api-client.ts'
import { serverNow } from '../../lib/server-clock.ts'
import { plannedMeetings, useSavePlannedMeeting } from '../../queries/planned-meetings.ts'
import { DayField } from '../../ui/DayField.tsx'
import { CancelButton, Dialog, ModalFooter } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.tsx'
import { plannedMeetingValues, timesOf, timeZones } from './planned-meeting-values.ts'
import { DAY_NAMES, meetingWords } from './planned-meeting-words.ts'

const REPEATS = [
  { value: 'once', label: 'Once' },
  { value: 'weekly', label: 'Every week' },
]
const ZONES_SHOWN = 60

type PlannedMeetingDialogProps = { meeting: PlannedMeeting | null; onClose: () => void }

/** Plans a meeting, or changes one. */
export function PlannedMeetingDialog({ meeting, onClose }: PlannedMeetingDialogProps) {
  const save = useSavePlannedMeeting()
  const client = useQueryClient()
  const [seen, setSeen] = useState(meeting)
  const isOvertaken = seen !== meeting
  const form = useForm({
    initialValues: plannedMeetingValues(meeting, serverNow()),
    validate: (values) => ({
      ...(values.repeats === 'weekly' && values.weekdays.length === 0 && { weekdays: 'Choose a day of the week' }),
      ...schemaResolver(PlanMeeting, { sync: true })(timesOf(values)),
    }),
  })
  const { repeats, first_day, last_day, time_zone } = form.values
  const isWeekly = repeats === 'weekly'
  const failure = generalMessageOf(save.error, form.values, 'The meeting could not be saved. Please try again.')

  function handleSubmit(values: typeof form.values) {
    const expect = seen ? { updated_at: seen.updated_at } : undefined
    save.mutate(
      { id: meeting?.id, times: timesOf(values), expect },
      {
        onSuccess: ({ message }) => {
          toast.success(message ?? 'Saved')
          onClose()
        },
        onError: (error) => {
          form.setErrors(fieldErrorsOf(error))
          if (error instanceof ApiError && error.code === 'state_changed') void showPresent()
        },
      },
    )
  }

  /** Another console saved first: shows that before it can be replaced. */
  async function showPresent() {
    const listed = await client.fetchQuery({ ...plannedMeetings, staleTime: 0 }).catch(() => null)
    const present = listed?.planned_meetings.find(({ id }) => id === meeting?.id)
    if (present) setSeen(present)
  }

  return (
    <Dialog
      onClose={onClose}
      title={meeting ? 'Edit planned meeting' : 'Plan a meeting'}
      busy={save.isPending}
      unsaved={form.isDirty()}
      styles={{ body: { padding: 0 } }}
    >
      <form noValidate onSubmit={form.onSubmit(handleSubmit)}>
        <Stack px="lg" pb="lg">
          <NativeSelect label="Repeats" data={REPEATS} data-autofocus {...form.getInputProps('repeats')} />
          {isWeekly ? (
            <Checkbox.Group label="On" {...form.getInputProps('weekdays')}>
              <Group gap="0.625rem 1.25rem" mt={6}>
                {WEEKDAYS.map((day) => (
                  <Checkbox key={day} value={day} label={DAY_NAMES[day].slice(0, 3)} aria-label={DAY_NAMES[day]} />
                ))}
              </Group>
            </Checkbox.Group>
          ) : null}
          <SimpleGrid type="container" cols={{ base: 1, '24rem': 2 }}>
            <DayField label={isWeekly ? 'First day' : 'Day'} {...form.getInputProps('first_day')} value={first_day} />
            {isWeekly ? (
              <DayField label="Last day, if it ends" {...form.getInputProps('last_day')} value={last_day} />
            ) : null}
            <TextInput label="Time" type="time" {...form.getInputProps('time')} />
            <NumberInput
              label="Length in minutes"
              clampBehavior="none"
              allowNegative={false}
              {...form.getInputProps('minutes')}
            />
          </SimpleGrid>
          <Select
            label="Time zone"
            description="The meeting keeps its hour there when the clocks change. Everyone else sees it in their own time."
            searchable
            allowDeselect={false}
            limit={ZONES_SHOWN}
            nothingFoundMessage="No time zone matches"
            data={timeZones(time_zone)}
            {...form.getInputProps('time_zone')}
          />
          {isOvertaken && seen ? (
            <Notice tone="warn" title="Changed by another console in the meantime">
              The meeting is now: {meetingWords(seen)} ({seen.time_zone}).
              <Box mt={8}>What you entered is still here. Save again to replace that.</Box>
            </Notice>
          ) : null}
          {failure ? <Notice tone="bad">{failure}</Notice> : null}
        </Stack>
        <ModalFooter>
          <Group justify="flex-end" gap="xs">
            <CancelButton disabled={save.isPending} />
            <Button type="submit" loading={save.isPending}>
              {meeting ? 'Save' : 'Plan meeting'}
            </Button>
          </Group>
        </ModalFooter>
      </form>
    </Dialog>
  )
}
