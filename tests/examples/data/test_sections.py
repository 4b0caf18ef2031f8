"""Descriptions with their sections, out of tiny lists."""
import os
import unittest

import fake_debian
from corpus import control, sections

LISTS = os.path.join(fake_debian.INPUTS, "lists")
PACKAGES = os.path.join(LISTS, "mirror_dists_stable_main_binary-amd64_Packages")
ENGLISH = os.path.join(LISTS, "mirror_dists_stable_main_i18n_Translation-en")

CHESS = "board game for two players Moves pieces of wood over a board. Has no sound."


class ControlTest(unittest.TestCase):
    def test_stanzas_are_fields_with_their_lines(self):
        first, *others = control.stanzas(ENGLISH)
        self.assertEqual(first["Package"], "hello")
        self.assertEqual(control.lines(first["Description-en"])[:5], [
            "friendly greeting for everyone",
            "A program that greets every",
            "user of the machine. It can be changed.",
            "",
            "It offers:",
        ])
        self.assertEqual([fields["Package"] for fields in others],
                         ["untranslated", "chess", "draughts", "tune", "brief"])


class SectionsTest(unittest.TestCase):
    def test_texts_are_descriptions_long_enough_in_one_of_the_sections(self):
        self.assertEqual(list(sections.texts(PACKAGES, ENGLISH)), [
            ("boards", "games", CHESS),
            ("boards", "games", CHESS),
            ("boards", "games",
             "another board game for two Moves smaller pieces of wood over the board."),
            ("tune", "sound",
             "plays music out of files of notes It plays slowly, or as fast as you like."),
        ])


if __name__ == "__main__":
    unittest.main()
