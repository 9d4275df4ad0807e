import { Picture } from './Picture.tsx'
import { Chapter, Topic } from './Topic.tsx'

const COLOURS = [
  ['Red', 'speaks, or wants to speak', 'Speaking, or Wants to speak'],
  ['Green', 'has the speaker on, and may be heard', 'Speaker on'],
  ['Yellow', 'listens, or is muted; everybody who does not speak, while Mute All holds', 'Listening, or Muted'],
  ['Any, with a broken edge', 'has a phone that does not answer: it sleeps, or has no network', 'Not answering'],
]

export function Online() {
  return (
    <Chapter id="online" title="Online: the room as it is now">
      <Picture
        name="online"
        alt="The Online page: numbers, the buttons Refresh, Mute All, Unmute All and Logout All, who speaks, and a tile for each person."
      />
      <p>
        The page to keep open during a meeting. Each person online is a tile, in a fixed order, so that nobody moves
        under your hand. Above are how many are online, speak, want to speak, are muted and do not answer; Active Users
        lists who speaks.
      </p>

      <Topic id="online-colours" title="What the tiles say">
        <table>
          <thead>
            <tr>
              <th scope="col">Colour</th>
              <th scope="col">The person</th>
              <th scope="col">Word on the tile</th>
            </tr>
          </thead>
          <tbody>
            {COLOURS.map(([colour, meaning, word]) => (
              <tr key={colour}>
                <td>{colour}</td>
                <td>{meaning}</td>
                <td>{word}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Topic>

      <Topic id="online-one" title="Let one person speak, or silence one">
        <p>
          Click a muted tile, and that person may speak. If something changed in the moment before your click, Parley
          says so and does nothing. The dots on a tile open its menu, with everything that can be done with that person.
        </p>
        <p>
          A muted phone cannot unmute itself; its person can still ask to speak, which turns the tile red. Once you
          unmute somebody who asked, the request is done.
        </p>
      </Topic>

      <Topic id="online-queue" title="Those who ask to speak">
        <p>
          They stand in a numbered queue, in the order of asking, with the time that each has waited. Allow lets one
          speak, the crossed hand lowers a hand without a word, and Next goes on to the first in the queue: whoever you
          let speak before is muted.
        </p>
        <p>
          On a keyboard, N is Next, M mutes whoever speaks, and Shift M is Mute All, unless you are typing. Turn keys
          off if you press them by accident.
        </p>
      </Topic>

      <Topic id="online-all" title="Silence everybody">
        <p>
          Mute All works at once, also for those who come later. For 10 seconds you can take it back with Undo. Your own
          phone is never muted. While it holds you can open single people by clicking their tiles, until the next Mute
          All.
        </p>
        <p>
          Unmute All opens everybody again. With more than ten people in the room it asks first, as does Logout All,
          which makes every phone leave the room.
        </p>
      </Topic>

      <Topic id="online-heard" title="Did the phones hear it?">
        <p>
          Each phone confirms a command. The page shows how many have, and a tile shows when its phone has not yet: it
          has lost its network, and obeys as soon as it is back.
        </p>
      </Topic>

      <Topic id="online-zoom" title="The meeting and its recording">
        <p>
          The app shows the room; the voices are in the Zoom meeting. Headphones on a tile say that its person is in the
          meeting, a phone that only the app is open. Beside the numbers you start, pause and stop the recording of the
          meeting that runs.
        </p>
      </Topic>

      <Topic id="online-live" title="When the page is not up to date">
        <p>
          The page hears of changes at once, and asks again twice a second to be sure. After 5 seconds without any
          answer it says so and takes away the buttons that would act on old news. It goes on by itself when the
          connection is back. Refresh also clears phones that went away without saying so.
        </p>
        <p>
          A phone that has lost its network, or sleeps, shows as “Not answering” after 15 seconds, and as offline after
          at most 30.
        </p>
      </Topic>

      <Topic id="online-phone" title="Keeping the room from a phone">
        <Picture
          onPhone
          name="online-on-a-phone"
          alt="The Online page on a phone: the numbers, the buttons, and the tiles below each other."
        />
        <p>All of this works in the browser of a phone too.</p>
      </Topic>
    </Chapter>
  )
}
