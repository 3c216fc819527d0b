"""What all games share; knows no game.

In reading order:

================== ============================================================
game               the contract: what the rules of a game must say
kernel             ``@kernel``: compiled, and cached under an honest key
rng, bits          random streams in the row; sets as the bits of a uint64
simd, lanes        sets laid out as bytes; four words worked on at once
layout             named blocks of actions and features
loops              kernels over many rows
batch              ``Batch``: many games side by side
check, complaint   refusals: of arguments, of moves
notation           states as plain JSON values
policies, greedy   who chooses the moves
search, tree       Monte Carlo tree search: a policy too, and for self-play
aec, vector        PettingZoo's and Gymnasium's interfaces
doors              what a module ``*_v0`` offers
registration       its entry in the registries
openspiel          a game of OpenSpiel
record, perft      games written and replayed; sequences of moves counted
session            one person's game against policies
cli                the command line
terminal, serve    a person's game at the prompt, in the browser
measure            decisions a second
artist, svg, paint what a game that can be drawn has to say, and its tools
render, raster     pictures and frames
display            what notebooks show of environments, batches and records
window             frames on the screen
film, page         replays as pages
================== ============================================================
"""
