#!/bin/sh
# Linked as `claude`, it is a client whose process ends with its commands.
eval "$STORY"
exit $?
