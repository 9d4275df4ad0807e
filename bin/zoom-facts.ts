import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ZOOM_INTERVAL_MS } from '../web/seat/zoom-limits.ts'

/** Behaviour of Zoom's program that its types do not express, each with a pattern to find in its minified code. */
const FACTS: [string, RegExp][] = [
  [
    'onActiveSpeaker comes only with somebody in its list',
    /(\w+)\.length>0&&[\w.]+\.notifyConnectorZoomMsg\([\w.$]+\.UI,\w+\.\w+,\1\)/,
  ],
  ['a speaker is shown for 3 s', /AUDIO_ANIMATION_TIMEOUT:function\(\)\{return (\w+)\}[\s\S]*?,\1=3e3,/],
  ['one join in 10 s, one mute a second', /=\{join:10,[^}]*?,mute:1,muteAll:5,/],
  [
    'a mute within its limit is dropped without an answer',
    /ZoomMtg\.mute=function\(e\)\{if\(!\(0,\w+\.\w+\)\(e,"mute"\)\)return!1;if\(!\(0,\w+\.\w+\)\("mute"\)\)return!1;/,
  ],
  [
    'a mute is answered once it is sent',
    /evt:\w+\.WS_AUDIO_MUTE_REQ,body:\w+\};\w+\(\(0,\w+\.\w+\)\(\w+\)\),\(0,\w+\.[\w$]+\)\(\{detail:e\},"mute"\)/,
  ],
  [
    'a join within its limit is answered as a frequent call',
    /if\(!\w+\.WC\.join\)return [^;]*?errorCodes\.FREQUENT_CALL[^;]*?\w\.error\(/,
  ],
  [
    'the reasons for leaving have their numbers',
    /OTHER:0,HOST_ENDED_MEETING:1,SELF_LEAVE_FROM_IN_MEETING:2,SELF_LEAVE_FROM_WAITING_ROOM:3,SELF_LEAVE_FROM_WAITING_FOR_HOST_START:4,MEETING_TRANSFER:5,KICK_OUT_FROM_MEETING:6,KICK_OUT_FROM_WAITING_ROOM:7,LEAVE_FROM_DISCLAIMER:8\}/,
  ],
  [
    "that the host has ended the meeting, a guest's page hears from onMeetingStatus 3 alone",
    /case \w+\.xc:(case \w+\.\w+:)+\w+\.\w+\.externalController\.notifyConnectorZoomMsg\([\w.$]+\.UI,[\w$]+\.v1,\{meetingStatus:3\}\),[^;]*?\.END_BY_HOST\)\);break/,
  ],
  [
    'who ends it reports reason 1',
    /reasonCode:\w+\.\w+\.HOST_ENDED_MEETING\}\}\),\(0,\w+\.\w+\)\(\w+\.v1,\{data:\{meetingStatus:3\}\}\)/,
  ],
  [
    "Zoom's own Leave reports its reason and onMeetingStatus 3 in one go",
    /\(\w+\.wC,\{data:\{reason:\w+\.\w+\.default,reasonCode:void 0!==(\w+)\?\1:\w+\.\w+\.OTHER\}\}\),\(0,\w+\.\w+\)\(\w+\.v1,\{data:\{meetingStatus:3\}\}\)/,
  ],
  ['it leaves for the leave address 0.5 s later', /window\.location\.href=\w+\.Ay\.surveyUrl\},500\)/],
  [
    'a removal is reported before the connection ends',
    /\w\(\(0,\w+\.nZ\)\(\)\),\w+\.\w+\.externalController\.notifyConnectorZoomMsg\([\w.$]+\.UI,[\w$]+\.v1,\{meetingStatus:3\}\)/,
  ],
  [
    'onJoinSpeed counts the waits for the host and in the waiting room',
    /userInWaitingForHost:4,userOutWaitingForHost:5,userInWaitingRoom:6,userOutWaitingRoom:7,/,
  ],
  [
    'the codes of refusals',
    /errorcodes_pac_signature_expired":3705,[^}]*errorcodes_pac_invalid_signature":3712,[\s\S]*?meeting_capacity_reached":4005[\s\S]*?meeting_locked":4006[\s\S]*?authorized_user_not_in_meeting":4017[\s\S]*?authorized_user_leave_meeting":4019/,
  ],
  [
    'Mute All is the mute alone, is checked for the role, and is answered once it is sent',
    /if\(!\w+\(e,"muteAll"\)\)return;\(0,[\w.$]+\)\("muteAll"\);var \w+=\{bMute:e\.muteAll\},\w+=\{evt:\w+\.WS_AUDIO_MUTEALL_REQ,body:\w+\};\w+\(\(0,[\w.$]+\)\(\w+\)\),\(0,[\w.$]+\)\(\{detail:e\},"muteAll"\)\}\}/,
  ],
  [
    'the sound that comes in can be stopped before it is joined, and is refused a second time',
    /ZoomMtg\.stopIncomingAudio=function\(e\)\{\w+\(e,"stopIncomingAudio",function\(e\)\{var (\w)=[\w().]+\.isClientDisableReceiveAudio,(\w)=e\.stop;[\s\S]{0,100}?"Don't support mobile device"\):!!\2!==\1\?/,
  ],
  [
    'a removal is answered once it is sent',
    /evt:\w+\.WS_CONF_EXPEL_REQ,body:\w+\};\w+\(\(0,\w+\.\w+\)\(\w+\)\),\(0,\w+\.[\w$]+\)\(\{detail:e\},"expel"\)/,
  ],
  [
    'a person has these fields, in lists and events alike',
    /\{userId:e\.userId\|\|"",self:[^,]*,userName:[^,]*,muted:e\.muted,audio:e\.audio,isHost:e\.isHost,isCoHost:[^,]*,isGuest:[^,]*,isHold:e\.bHold,persistentID:[^,]*,participantUUID:e\.userGUID\|\|"",customerKey:[^,]*,video:[^,]*,raiseHand:/,
  ],
  ["the microphone is the browser's", /navigator\.mediaDevices\.getUserMedia\(\w\);return \w\("getUserMedia succeeded/],
  [
    'the microphone is opened and shut by its tracks',
    /muteUnmuteAudioMediaStream\((\w)\)\{[^{}]*\{(\w)\.enabled=!\1\}/,
  ],
  ['a captcha and an old version have codes', /FREQUENT_JOIN:3634,[^}]*UPDATE:1e4,/],
]

/** Throws an error that lists the facts that are no longer found in Zoom's program. */
export async function checkZoomFacts(folder: string, version: string): Promise<void> {
  const files = [`zoom-meeting-${version}.min.js`, 'lib/av/js_media.min.js']
  const programs = await Promise.all(files.map((file) => readFile(join(folder, 'package/dist', file), 'utf8')))
  const missing = FACTS.flatMap(([fact, pattern]) => (programs.some((one) => pattern.test(one)) ? [] : [fact]))
  const [program = ''] = programs
  missing.push(...faultsOfLimits(program))
  if (missing.length > 0) throw new Error(`No longer found: ${missing.join('; ')}.`)
}

/** The seat may call a function a little less often than Zoom takes it, since Zoom drops earlier calls. */
const MARGIN_MS = 100

/** Compares the intervals of the seat's calls with the limits in Zoom's program, which are in seconds. */
function faultsOfLimits(program: string): string[] {
  const [, table = ''] = /=\{(join:10,[^}]*)\}/.exec(program) ?? []
  const limits = new Map(table.split(',').map((entry) => entry.split(':') as [string, string]))
  return Object.entries(ZOOM_INTERVAL_MS).flatMap(([call, interval]) => {
    const limit = Number(limits.get(call)) * 1_000
    return limit < interval && interval <= limit + MARGIN_MS
      ? []
      : [`one ${call} in ${limit / 1_000} s, not ${interval} ms`]
  })
}
