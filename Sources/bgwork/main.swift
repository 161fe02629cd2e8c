print("bgwork")
