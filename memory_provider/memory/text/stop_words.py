"""English words that say too little to search by."""

_WORDS = """
    a about after all also am an and any are as at be because been before being both but by can could did do
    does doing down during each few for from further had has have having he her here hers him his how i if
    in into is it its itself just me more most my no nor not now of off on once only or other our out over
    own s same she should so some such t than that the their them then there these they this those through
    to too under until up us very was we were what when where which while who whom whose why will with would
    you your
"""

STOP_WORDS = frozenset(_WORDS.split())
