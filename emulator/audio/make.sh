#!/bin/sh
# Run in this folder, with espeak-ng and ffmpeg installed.
set -e
make() { # name voice speed text
  espeak-ng -v "$2" -s "$3" -w "/tmp/$1.wav" "$4"
  ffmpeg -hide_banner -loglevel error -y -i "/tmp/$1.wav" -ac 1 -ar 22050 -c:a aac -b:a 28k -map_metadata -1 -fflags +bitexact -flags:a +bitexact -movflags +faststart "$1.m4a"
  rm "/tmp/$1.wav"
}
make opening en-gb 140 "Good evening, and welcome to the study circle. Tonight we are forty people on the line, so please keep your microphone closed until you are called. If you would like to speak, ask for the floor, and I will open your line in the order of asking. We begin with a short reading. After that, each of you has two minutes for a question or a thought. We close on the hour, as always. Let us start with the first page, where we stopped last week."
make reading en-us 145 "Chapter four, on paying attention. To listen well is to leave room for the other person's thought to arrive. The author tells of a teacher who waited so long after every question that the pupils began to hear their own answers. Silence, she said, is not the end of a conversation. It is the part in which the next sentence is being written. When we hurry to reply, we answer what we expected to hear. When we wait, we may answer what was said."
make questions en-gb-scotland 150 "Thank you for that question. Let me repeat it for those who joined late. You ask how often a group like ours should meet. Some meet every morning for ten minutes. Others meet once a month for half a day. What matters is that everyone knows when it begins, and that it does begin then. Next on the list we have three more people who would like to speak. Please wait until you hear your name."
make closing en-us+f3 145 "We have come to the end of our hour. Here is a short summary. First, we read chapter four, and spoke about waiting before we answer. Second, we agreed to meet on Thursday at the same time. Third, the recording of this evening will be ready for those who could not come. Thank you to everyone who spoke, and to everyone who listened. Good night, and see you on Thursday."
