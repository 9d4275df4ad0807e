#!/bin/sh
# Run in this folder, with espeak-ng and ffmpeg installed.
set -e
make() { # name voice speed text
  espeak-ng -v "$2" -s "$3" -w "/tmp/$1.wav" "$4"
  ffmpeg -hide_banner -loglevel error -y -i "/tmp/$1.wav" -ac 1 -ar 48000 -c:a libopus -application voip -b:a 18k -frame_duration 20 -map_metadata -1 -fflags +bitexact -flags:a +bitexact "$1.ogg"
  rm "/tmp/$1.wav"
}
make question en-gb 145 "I have a question about the second page. Why does the author wait so long before he gives his answer?"
make answer en-us 150 "I think he wants us to find it ourselves. That is why the chapter ends where it does, in the middle of the day."
make thanks en-gb-scotland 150 "Thank you, that was very clear. I would like to add one small thing from last week."
make doubt en-us+f3 150 "I am not so sure. When I read it again this morning, it sounded quite different to me."
make greeting en-gb+f2 145 "Good evening, everyone. I am calling from the train, so I will mostly listen today."
make story en-us+m3 155 "My grandmother used to say that a good listener hears what is left out. I only understood that much later."
